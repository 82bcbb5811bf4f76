import { type EvaluationContext, type Phase, type Profile, phasesAt } from '@tollgate/catalog';
import { check, type Environment, parse, toHost, type Value } from '@tollgate/cel';
import type { Input } from '@tollgate/compile';
import { SourceText } from '@tollgate/diagnostics';
import {
  analyzePolicy,
  createPhaseEnvironments,
  type PhaseEnvironments,
  type Policy,
  type Rule,
} from '@tollgate/policy';
import { createSimulation, type Decision, exchangeExpression } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';

/** What a host gives of an exchange; header maps whole or not at all. */
export type HostValue = string | number | boolean | undefined | Readonly<Record<string, readonly string[]>>;

/** The values of inputs by path. */
export type HostRow = Readonly<Record<string, HostValue>>;

/** A profile with what policies under it are analysed with. */
export interface CaseContext {
  readonly profile: Profile;
  readonly endpoint: EvaluationContext['endpoint'];
  readonly environments: PhaseEnvironments;
  /** The phase of requests. */
  readonly phase: Phase;
}

/** Returns the context of policies for the first endpoint of a profile. */
export function caseContext(profile: Profile): CaseContext {
  const endpoint = profile.endpoints[0]!;
  const [phase] = phasesAt(profile, endpoint).filter(one => one === 'inbound' || one === 'on_http_request');
  return { profile, endpoint, environments: createPhaseEnvironments(profile, endpoint), phase: phase! };
}

/** Returns the policy of a document; undefined if it has errors. */
export function policyOf(document: unknown, context: CaseContext): Policy | undefined {
  const { policy, diagnostics } = analyzePolicy(new SourceText('p.json', JSON.stringify(document)), context);
  return diagnostics.some(({ severity }) => severity === 'error') ? undefined : policy;
}

/** Whether an expression is valid in an environment. */
export function isValid(source: string, environment: Environment): boolean {
  const parsed = parse(source, environment);
  return parsed.diagnostics.length === 0 && check(parsed.ast, environment).diagnostics.length === 0;
}

/** Returns the values that the evaluator has for inputs; undefined for those that are unknown. */
export function hostRows(inputs: readonly Input[], exchanges: readonly Exchange[], context: CaseContext): HostRow[] {
  const environment = context.environments[context.phase];
  const read = inputs.map(({ path }) => {
    const { typed } = check(parse(path, environment).ast, environment);
    return exchangeExpression(typed, { ...context, place: context, environment });
  });
  return exchanges.map(exchange => {
    const values = inputs.map(({ path }, at) => [path, hostValue(read[at]!(exchange))]);
    return Object.fromEntries(values) as HostRow;
  });
}

function hostValue(value: unknown): HostValue {
  const plain =
    typeof value === 'object' && value !== null && 'attributes' in value ? undefined : toHost(value as Value);
  if (typeof plain === 'bigint') return Number(plain);
  return plain as HostValue;
}

/** The outcome of a decision as a string that tells it from others. */
interface DecidedOutcome {
  readonly outcome: string;
  readonly status?: number | undefined;
  readonly action?: string | undefined;
  readonly rule?: string | undefined;
}

const keyOf = ({ outcome, status, action }: DecidedOutcome) =>
  [outcome, status, action].filter(one => one !== undefined && one !== '').join(' ');

/** Returns a decision as a string: its possible outcomes, and the rule that ended the evaluation, empty for none and undefined if it is open. */
export function shownDecision(outcomes: readonly string[], rule: string | undefined): string {
  return `${[...new Set(outcomes)].toSorted().join(' or ')} by ${rule ?? '?'}`;
}

/** The decisions of the simulator. */
export function simulatedDecisions(
  policy: Policy,
  exchanges: readonly Exchange[],
  context: CaseContext,
): readonly string[] {
  const simulation = createSimulation(policy, context);
  const rules = phasesAt(context.profile, context.endpoint).flatMap(phase => policy.rules[phase]);
  return exchanges.map(exchange => {
    const decision = simulation.decide(exchange);
    const outcomes = decision.outcomes.map(({ kind, status, action }) => keyOf({ outcome: kind, status, action }));
    return shownDecision(outcomes, endedBy(decision, rules));
  });
}

function endedBy({ rules: results }: Decision, rules: readonly Rule[]): string | undefined {
  for (const [at, result] of results.entries()) {
    if (!('actions' in result)) continue;
    const ending = result.actions.find(action => action.ending !== undefined);
    if (ending === undefined) continue;
    const { phase, index } = rules[at]!;
    return result.status === 'matched' && ending.needs.length === 0 ? `${phase} ${index + 1}` : undefined;
  }
  return '';
}
