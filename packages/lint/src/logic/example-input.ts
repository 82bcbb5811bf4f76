import { type EvaluationContext, type Phase, type Profile, STRING_KEY } from '@tollgate/catalog';
import type { Environment } from '@tollgate/cel';
import type { PhaseEnvironments, Policy, Rule } from '@tollgate/policy';
import { createSimulation } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import type { ReadCondition } from '../decision/condition.ts';
import { allOf, possibleModel } from '../decision/questions.ts';
import { type Placed, valuesIn } from '../decision/witness.ts';
import type { Work } from '../decision/work.ts';
import { exchangeWith, usualValues } from './example-exchange.ts';

/** Where conditions stand. */
export interface ConditionPlace {
  readonly profile: Profile;
  readonly place: EvaluationContext;
  readonly environment: Environment;
  readonly environments: PhaseEnvironments;
  readonly policy: Policy;
  readonly work: Work;
}

/** A rule, and its conditions as they were read. */
interface ReadRule {
  readonly rule: Rule;
  readonly expressions: readonly ReadCondition[] | undefined;
}

/** An input and its value as a condition: `req.Method == "GET"`. */
export type ShownInput = string;

/** What compiling rules and running them on an exchange takes. */
const SIMULATION_STEPS = 500;

/**
 * What to send so that all rules match that hold, and none of those that do not: a whole exchange, on which the simulator has confirmed
 * it. Undefined where none was found, which says nothing.
 */
export function exampleInput(
  holding: readonly ReadRule[],
  failing: readonly ReadRule[],
  where: ConditionPlace,
): readonly ShownInput[] | undefined {
  const model = possibleModel(
    [
      ...holding.flatMap(one => one.expressions!.map(condition => condition.whenTrue)),
      ...failing.map(one => allOf(one.expressions!).whenUntrue),
    ],
    where.work,
  );
  const values = model && valuesIn(model, access => usualValues(access, where));
  const exchange = values && exchangeWith(values, where);
  if (exchange === undefined) return undefined;
  where.work.spend(SIMULATION_STEPS * (holding.length + failing.length));
  const statuses = statusesOf([...holding, ...failing], exchange, where);
  const isFit = statuses.every((status, at) =>
    at < holding.length ? status === 'matched' : status === 'not-matched' || status === 'failed',
  );
  return isFit ? values?.map(shown) : undefined;
}

/** What the simulator says of each of the rules by itself: none does anything that another could see. */
function statusesOf(
  rules: readonly ReadRule[],
  exchange: Exchange,
  { policy, profile, place, environments }: ConditionPlace,
): readonly string[] {
  const quiet = rules.map(({ rule }, index): Rule => ({ ...rule, index, actions: [] }));
  const none = Object.fromEntries(Object.keys(policy.rules).map(phase => [phase, []])) as unknown as Record<
    Phase,
    Rule[]
  >;
  const alone: Policy = { ...policy, enabled: true, rules: { ...none, [place.phase]: quiet } };
  return createSimulation(alone, { profile, environments })
    .decide(exchange)
    .rules.map(({ status }) => status);
}

function shown({ access: { steps, isKey }, value }: Placed): ShownInput {
  if (!isKey) return `${pathText(steps)} == ${typeof value === 'string' ? JSON.stringify(value) : value}`;
  const test = `${JSON.stringify(steps.at(-1))} in ${pathText(steps.slice(0, -1))}`;
  return value === undefined ? `!(${test})` : test;
}

function pathText([first, ...rest]: readonly (string | number)[]): string {
  const parts = rest.filter(step => step !== STRING_KEY);
  return `${first}${parts.map(step => (NAME.test(String(step)) ? `.${step}` : `[${JSON.stringify(step)}]`)).join('')}`;
}

const NAME = /^[A-Za-z_]\w*$/;
