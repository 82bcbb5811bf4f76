import { type EndpointKind, type Phase, phasesAt } from '@tollgate/catalog';
import { compileToJavaScript, extendEnvironment, objectType, Unknown } from '@tollgate/cel';
import { inlineBodies } from '@tollgate/cel/tooling';
import type { Diagnostic } from '@tollgate/diagnostics';
import { checkCondition } from '@tollgate/policy';
import type { Exchange } from '@tollgate/traffic';
import { dialectOf } from '../message/dialect.ts';
import { type ConditionValue, settleUnclear } from '../preparation/unclear-conditions.ts';
import type { SimulationOptions } from '../simulation/simulation.ts';
import { recordedState } from '../state/recorded-state.ts';
import type { TrafficState } from '../state/traffic-state.ts';
import { activationBuilder } from '../values/build-activation.ts';
import { DECISION_OBJECT, DECISION_TYPE, type DecisionValue } from './decision-value.ts';

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
export type ReadCondition = { readonly holds: TrafficCondition } | { readonly diagnostics: readonly Diagnostic[] };

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
  return { holds };
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
