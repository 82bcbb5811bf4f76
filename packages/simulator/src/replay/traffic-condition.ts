/** Conditions of the user on exchanges and decisions, as in `--where`. */
import { type EndpointKind, type Phase, type Profile, phasesAt } from '@tollgate/catalog';
import {
  BOOL,
  compileToJavaScript,
  extendEnvironment,
  INT,
  listOf,
  type ObjectDecl,
  objectType,
  type Read,
  readsOf,
  STRING,
  Unknown,
} from '@tollgate/cel';
import { inlineBodies } from '@tollgate/cel/tooling';
import type { Diagnostic } from '@tollgate/diagnostics';
import { checkCondition, DECISION_VARIABLES, type Policy } from '@tollgate/policy';
import type { Exchange } from '@tollgate/traffic';
import type { Outcome } from '../actions/effect.ts';
import { type ConditionValue, settleUnclear } from '../conditions/unclear-conditions.ts';
import { dialectOf } from '../exchange-state/dialect.ts';
import { recordedState } from '../exchange-state/recorded-state.ts';
import type { TrafficState } from '../exchange-state/traffic-state.ts';
import type { Verdict } from '../simulation/decision.ts';
import type { SimulationOptions } from '../simulation/simulation.ts';
import { activationBuilder } from '../variables/activation.ts';

/** Decisions by the name of the variable, each with its possible outcomes. */
export type DecisionVariables = Readonly<Record<string, readonly DecisionValue[]>>;

/**
 * Returns whether a condition holds for an exchange as recorded, and for decisions on it; undefined if that depends on something that is not
 * recorded or not determined. An evaluation error means no.
 */
export type TrafficCondition = (exchange: Exchange, decisions: DecisionVariables) => boolean | undefined;

/** What a condition on traffic can read. */
export interface ConditionScope extends Pick<SimulationOptions, 'profile' | 'environments' | 'assumptions' | 'now'> {
  readonly endpoint: EndpointKind;
  /** Names of variables that are decisions. */
  readonly decisions: readonly string[];
}

/** A condition on traffic, or the errors in it. */
export type ReadCondition =
  | { readonly holds: TrafficCondition; readonly reads: readonly Read[] }
  | { readonly diagnostics: readonly Diagnostic[] };

/** A condition on an exchange and the decision on it. */
export interface DecisionCondition {
  /** Returns whether it holds for an exchange and a decision with these possible outcomes; undefined as for {@link TrafficCondition}. */
  readonly holds: (exchange: Exchange, decision: readonly DecisionValue[]) => boolean | undefined;
  readonly valuesOf: DecisionValuesOf;
  /** The parts of the decision that it reads. */
  readonly reads: readonly (keyof DecisionValue)[];
}

/** Compiles a condition on exchanges and the variable `decision`, which is what a policy decides. */
export function readDecisionCondition(
  source: string,
  policy: Policy,
  scope: Omit<ConditionScope, 'endpoint' | 'decisions'>,
): DecisionCondition | { readonly diagnostics: readonly Diagnostic[] } {
  const name = 'decision';
  const read = readTrafficCondition(source, { ...scope, endpoint: policy.endpoint, decisions: [name] });
  if ('diagnostics' in read) return read;
  const steps = read.reads.flatMap(one => (one.variable === name ? [one.steps[0]] : []));
  const isRead = (part: string) => steps.some(step => step === undefined || ('name' in step && step.name === part));
  return {
    holds: (exchange, decision) => read.holds(exchange, { [name]: decision }),
    valuesOf: decisionValuesOf(policy, scope.profile, name),
    reads: Object.keys(PARTS).filter(isPart).filter(isRead),
  };
}

/** Compiles a condition on exchanges and decisions. It can read all variables of the latest phase of the profile, and decisions. */
export function readTrafficCondition(source: string, scope: ConditionScope): ReadCondition {
  const { profile, endpoint, decisions } = scope;
  const place = { endpoint, phase: latestPhase(scope) };
  const environment = extendEnvironment(scope.environments[place.phase], {
    objects: [DECISION_OBJECT],
    variables: decisions.map(name => ({ name, type: objectType(DECISION_TYPE) })),
  });
  const { typed, diagnostics } = checkCondition(source, { profile, place, environment }, { what: 'the expression' });
  if (typed === undefined) return { diagnostics };
  const inlined = inlineBodies(typed, environment);
  const program = compileToJavaScript(inlined, environment);
  const build = activationBuilder(profile, place, [inlined]);
  const started = { dialect: dialectOf(profile), assumptions: scope.assumptions ?? {}, now: scope.now };
  const holds = (exchange: Exchange, given: DecisionVariables) => {
    const state = recordedState(exchange, started);
    const answers = new Set(
      combinations(given).map(one => {
        const results: ConditionValue[] = [];
        const evaluate = (meant: TrafficState, into: ConditionValue[]) => {
          into[0] = program.evaluate({ ...build(meant), ...one }) as ConditionValue;
        };
        evaluate(state, results);
        settleUnclear(state, results, evaluate);
        return answerOf(results[0]);
      }),
    );
    return answers.size === 1 ? [...answers][0] : undefined;
  };
  return { holds, reads: readsOf(inlined) };
}

function answerOf(value: unknown): boolean | undefined {
  return value instanceof Unknown ? undefined : value === true;
}

/** The response phase sees the request as well. Events of a stream are not recorded. */
function latestPhase({ profile, endpoint }: ConditionScope): Phase {
  const phases = phasesAt(profile, endpoint).filter(phase => phase !== 'on_event_stream_message');
  return phases.at(-1) ?? profile.phases[0]!;
}

/** Returns every choice of one outcome for each decision. */
function combinations(decisions: DecisionVariables): readonly Readonly<Record<string, DecisionValue>>[] {
  let all: readonly Readonly<Record<string, DecisionValue>>[] = [{}];
  for (const [name, values] of Object.entries(decisions))
    all = all.flatMap(one => values.map(value => ({ ...one, [name]: value })));
  return all;
}

/** Name of the type of {@link DecisionValue} in CEL. */
const DECISION_TYPE = 'tollgate.Decision';

const TYPES = { bool: BOOL, int: INT, string: STRING, 'list(string)': listOf(STRING) } as const;

const PARTS: Readonly<Record<keyof DecisionValue, true>> = {
  ...{ outcome: true, status: true, action: true, rules: true, names: true },
};

/** What expressions about traffic can read of a decision: of what invariants can, the parts that a verdict has. */
const DECISION_OBJECT: ObjectDecl = {
  name: DECISION_TYPE,
  fields: new Map(
    DECISION_VARIABLES.flatMap(({ path, type, doc }) => {
      const name = path.slice('decision.'.length);
      return isPart(name) ? [[name, { type: TYPES[type], doc }] as const] : [];
    }),
  ),
};

function isPart(name: string): name is keyof DecisionValue {
  return Object.hasOwn(PARTS, name);
}

/** A decision with one of its possible outcomes, as a value for expressions. */
export interface DecisionValue {
  readonly outcome: string;
  readonly status: number | Unknown;
  readonly action: string;
  readonly rules: readonly string[] | Unknown;
  readonly names: readonly string[] | Unknown;
}

/** Returns a decision as values for expressions: one for each possible outcome. */
export type DecisionValuesOf = (exchange: Answered, verdict: Verdict) => readonly DecisionValue[];

/** What a decision depends on besides its verdict: the recorded status. */
interface Answered {
  readonly response: { readonly status?: number | undefined } | undefined;
}

/** @param name the variable, which unknown parts are named after */
export function decisionValuesOf(policy: Policy, profile: Profile, name: string): DecisionValuesOf {
  const rules = profile.phases.flatMap(phase => policy.rules[phase]);
  return (exchange, verdict) => {
    const { outcomes, hits } = verdict;
    const isOpen = hits.some(({ result }) => result.status === 'undetermined');
    const matched = hits.flatMap(({ rule, result }) => (result.status === 'matched' ? rules[rule]! : []));
    const listed = {
      rules: isOpen ? new Unknown([`${name}.rules`]) : matched.map(({ phase, index }) => `${phase} ${index + 1}`),
      names: isOpen ? new Unknown([`${name}.names`]) : matched.flatMap(one => one.name?.value ?? []),
    };
    return outcomes.map(outcome => ({
      outcome: outcome.kind,
      status: statusOf(outcome, verdict, exchange) ?? new Unknown([`${name}.status`]),
      action: outcome.action ?? '',
      ...listed,
    }));
  };
}

function statusOf(outcome: Outcome, { status }: Verdict, { response }: Answered): number | undefined {
  if (outcome.status !== undefined) return outcome.status;
  if (outcome.kind === 'closed' || status === 'closed') return 0;
  if (status === 'recorded') return response?.status;
  return typeof status === 'number' ? status : undefined;
}
