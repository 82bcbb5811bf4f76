import { type EvaluationContext, type Phase, type Profile, STRING_KEY, terminationOf } from '@tollgate/catalog';
import type { Environment } from '@tollgate/cel';
import { SourceText } from '@tollgate/diagnostics';
import { type Action, analyzePolicy, type PhaseEnvironments, type Policy, type Rule } from '@tollgate/policy';
import { createSimulation } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import type { Work } from '../../primitives/work.ts';
import { allOf } from '../../solver/formula/condition.ts';
import type { ReadCondition } from '../../solver/reader/read-condition.ts';
import { possibleModel } from '../../solver/search/queries.ts';
import { valuesIn, type WitnessValue } from '../../solver/search/witness.ts';
import { exchangeWith, usualValues } from './example-exchange.ts';

/** The context of the conditions. */
export interface ExampleContext {
  readonly profile: Profile;
  readonly place: EvaluationContext;
  readonly environment: Environment;
  readonly environments: PhaseEnvironments;
  readonly policy: Policy;
  readonly work: Work;
}

/** A rule and its conditions. */
interface ReadRule {
  readonly rule: Rule;
  readonly expressions: readonly ReadCondition[] | undefined;
}

/** An input and its value as a condition: `req.Method == "GET"`. */
type ShownInput = string;

/** Steps for compiling rules and running them on an exchange. */
const SIMULATION_STEPS = 2000;

/**
 * Returns the inputs of an exchange that all rules in `holding` match and none in `failing`, confirmed by the simulator. Undefined if none
 * was found, which proves nothing.
 */
export function exampleInput(
  holding: readonly ReadRule[],
  failing: readonly ReadRule[],
  context: ExampleContext,
): readonly ShownInput[] | undefined {
  const model = possibleModel(
    [
      ...holding.flatMap(one => one.expressions!.map(condition => condition.whenTrue)),
      ...failing.map(one => allOf(one.expressions!).whenUntrue),
    ],
    context.work,
  );
  const values = model && valuesIn(model, access => usualValues(access, context));
  const exchange = values && exchangeWith(values, context);
  if (exchange === undefined) return undefined;
  const inputs = values!.map(shown);
  const [all, ...statuses] = statusesOf([inputsRule(inputs, context), ...holding, ...failing], exchange, context);
  const isFit = statuses.every((status, at) =>
    at < holding.length ? status === 'matched' : status === 'not-matched' || status === 'failed',
  );
  return isFit && all === 'matched' ? inputs : undefined;
}

/** Returns a rule that matches the inputs as they are shown, which the exchange may not have: the edge rewrites header names, for example. */
function inputsRule(inputs: readonly ShownInput[], { policy, profile, place, environments }: ExampleContext): ReadRule {
  const source = new SourceText('example', JSON.stringify({ [place.phase]: [{ expressions: inputs, actions: [] }] }));
  const analysis = analyzePolicy(source, { profile, endpoint: policy.endpoint, environments });
  return { rule: { ...analysis.policy!.rules[place.phase][0]!, index: -1 }, expressions: undefined };
}

/**
 * Returns what the simulator reports for each rule when their actions are left out. Changes by earlier rules take effect, but earlier
 * rules do not end the evaluation.
 */
function statusesOf(
  read: readonly ReadRule[],
  exchange: Exchange,
  { policy, profile, place, environments, work }: ExampleContext,
): readonly string[] {
  const examined = new Set(read.map(({ rule }) => rule));
  const last = Math.max(...[...examined].map(rule => rule.index));
  const added = read.map(({ rule }) => rule).filter(rule => rule.index < 0);
  const rulesWithoutEffect = [...added, ...policy.rules[place.phase]].flatMap((rule): readonly Rule[] => {
    if (examined.has(rule)) return [{ ...rule, actions: [] }];
    const actions = rule.index < last ? rule.actions.filter(mayChange) : [];
    return actions.length > 0 ? [{ ...rule, actions }] : [];
  });
  work.spend(SIMULATION_STEPS * rulesWithoutEffect.length);
  const rules: Record<Phase, readonly Rule[]> = { ...policy.rules };
  for (const phase of profile.phases) rules[phase] = [];
  rules[place.phase] = rulesWithoutEffect.map((rule, index) => ({ ...rule, index }));
  const alone: Policy = { ...policy, enabled: true, rules };
  const decided = createSimulation(alone, { profile, environments }).decide(exchange).rules;
  return read.map(({ rule }) => decided[rulesWithoutEffect.findIndex(one => one.index === rule.index)]!.status);
}

/** Returns true if later expressions may read something the action changes. */
function mayChange(action: Action): boolean {
  return terminationOf(action) === 'never' && action.fact?.changes?.length !== 0;
}

function shown({ access: { steps, isKey }, value }: WitnessValue): ShownInput {
  if (!isKey) return `${pathText(steps)} == ${typeof value === 'string' ? JSON.stringify(value) : value}`;
  const test = `${JSON.stringify(steps.at(-1))} in ${pathText(steps.slice(0, -1))}`;
  return value === undefined ? `!(${test})` : test;
}

function pathText([first, ...rest]: readonly (string | number)[]): string {
  const parts = rest.filter(step => step !== STRING_KEY);
  return `${first}${parts.map(step => (NAME.test(String(step)) ? `.${step}` : `[${JSON.stringify(step)}]`)).join('')}`;
}

const NAME = /^[A-Za-z_]\w*$/;
