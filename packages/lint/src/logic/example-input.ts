import { type Place, type Profile, type SampleValue, sampleActivation, TEXT_KEY } from '@tollgate/catalog';
import { compileClosures, type Environment } from '@tollgate/cel';
import type { ReadCondition } from '../decision/condition.ts';
import { allOf, possibleModel } from '../decision/questions.ts';
import { type Placed, valuesIn } from '../decision/witness.ts';
import type { Work } from '../decision/work.ts';

/** Where conditions stand. */
export interface ConditionPlace {
  readonly profile: Profile;
  readonly place: Place;
  readonly environment: Environment;
  readonly work: Work;
}

/** An input and its value as a condition: `req.Method == "GET"`. */
export type ShownInput = string;

/**
 * An input that fulfils all conditions that hold, and none of those that do not; tried by evaluating them. Undefined where none was found,
 * which says nothing.
 */
export function exampleInput(
  holding: readonly ReadCondition[],
  failing: readonly (readonly ReadCondition[])[],
  where: ConditionPlace,
): readonly ShownInput[] | undefined {
  const model = possibleModel(
    [...holding.map(one => one.whenTrue), ...failing.map(rule => allOf(rule).whenUntrue)],
    where.work,
  );
  const values = model && valuesIn(model);
  if (values === undefined) return undefined;
  const activation = activationWith(values, where);
  if (activation === undefined) return undefined;
  const holds = (one: ReadCondition) => compileClosures(one.inlined, where.environment).evaluate(activation) === true;
  const isFit = holding.every(holds) && failing.every(rule => !rule.every(holds));
  return isFit ? values.map(shown) : undefined;
}

type Container = Record<string | number, unknown>;

/** The samples of the catalog with these values in their places. */
function activationWith(values: readonly Placed[], { profile, place }: ConditionPlace): Container | undefined {
  const activation = structuredClone(sampleActivation(profile, place)) as Record<string, SampleValue>;
  for (const { access, value } of values) if (!put(activation, access, value)) return undefined;
  return activation;
}

function put(activation: Container, { steps, isKey }: Placed['access'], value: Placed['value']): boolean {
  const last = steps.at(-1)!;
  let container = activation;
  for (const [index, step] of steps.slice(0, -1).entries()) {
    if (!Object.hasOwn(container, step)) container[step] = typeof steps[index + 1] === 'number' ? [] : {};
    const inner = container[step];
    if (typeof inner !== 'object' || inner === null) return false;
    container = inner as Container;
  }
  if (isKey) {
    if (value === undefined) delete container[last];
    else if (!Object.hasOwn(container, last)) container[last] = [];
  } else container[last] = value;
  return true;
}

function shown({ access: { steps, isKey }, value }: Placed): ShownInput {
  if (!isKey) return `${pathText(steps)} == ${typeof value === 'string' ? JSON.stringify(value) : value}`;
  const test = `${JSON.stringify(steps.at(-1))} in ${pathText(steps.slice(0, -1))}`;
  return value === undefined ? `!(${test})` : test;
}

function pathText([first, ...rest]: readonly (string | number)[]): string {
  const parts = rest.filter(step => step !== TEXT_KEY);
  return `${first}${parts.map(step => (NAME.test(String(step)) ? `.${step}` : `[${JSON.stringify(step)}]`)).join('')}`;
}

const NAME = /^[A-Za-z_]\w*$/;
