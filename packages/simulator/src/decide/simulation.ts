import type { NonValue } from '@tollgate/cel';
import type { Policy } from '@tollgate/policy';
import type { Exchange } from '@tollgate/traffic';
import { SIDES } from '../effects/effect.ts';
import { dialectOf } from '../message/dialect.ts';
import { firstHeader } from '../message/header-map.ts';
import { readMediaType } from '../message/media-type.ts';
import { Session } from '../session/session.ts';
import { type Decision, NOT_REACHED, type RuleResult } from './decision.ts';
import { Evaluation } from './evaluation.ts';
import { type Preparation, type PreparedPhase, preparePhase } from './prepare-policy.ts';
import { type Assumptions, initialState, type TrafficState } from './traffic-state.ts';

/** What a policy is run with: the profile and the environments are those that it was analysed with. */
export interface SimulationOptions extends Preparation {
  readonly assumptions?: Assumptions;
  /** What the time is for expressions and notes, in ms since 1970-01-01T00:00:00Z; that of each exchange when absent. */
  readonly now?: number;
}

/** A policy made ready to run on traffic. */
export interface Simulation {
  /** Gives what the policy does to one exchange. Holds nothing between exchanges, so that counters are not known. */
  readonly decide: (exchange: Exchange) => Decision;
  /** Begins a run in which counters are kept from one exchange to the next. */
  readonly begin: () => SimulationRun;
}

/** Exchanges that are decided one after the other, in the order of their time. */
export interface SimulationRun {
  /** One that is earlier than one before is taken to come at the same time. */
  readonly decide: (exchange: Exchange) => Decision;
  /** How many came out of the order of time. */
  readonly late: () => number;
}

/**
 * Compiles a policy. It must be one without errors: an expression that has one, or an action that the profile does not have, is an
 * {@link InternalError}.
 */
export function createSimulation(policy: Policy, options: SimulationOptions): Simulation {
  const { profile, assumptions = {}, now } = options;
  const phases = profile.phases.map(phase => preparePhase(policy, phase, options));
  const started = { dialect: dialectOf(profile), assumptions, now };
  const decide = (exchange: Exchange, session?: Session): Decision => {
    session?.begin(exchange.time);
    const { evaluationError, responsePhaseAfterAnswer } = profile.switches;
    const evaluation = new Evaluation(initialState(exchange, started), { evaluationError, session });
    const rules: RuleResult[] = [];
    for (const phase of phases) {
      if (policy.enabled) runPhase(phase, evaluation, rules);
      else rules.push(...phase.rules.map(() => NOT_REACHED));
      if (SIDES[phase.phase] !== 'request') continue;
      evaluation.askUpstream();
      if (responsePhaseAfterAnswer === 'run') evaluation.resumeWithAnswers();
    }
    return { ...evaluation.finish(), rules };
  };
  return {
    decide: exchange => decide(exchange),
    begin: () => {
      const session = new Session();
      return { decide: exchange => decide(exchange, session), late: () => session.late };
    },
  };
}

function runPhase(phase: PreparedPhase, evaluation: Evaluation, results: RuleResult[]): void {
  if (phase.rules.length === 0) return;
  evaluation.enterPhase();
  const isIdle = SIDES[phase.phase] === 'events' && !mayHaveEvents(evaluation);
  let conditions = evaluate(phase, evaluation.state);
  for (let index = 0; index < phase.rules.length; index++) {
    if (evaluation.ended || isIdle) {
      results.push(NOT_REACHED);
      continue;
    }
    const before = evaluation.state;
    results.push(evaluation.step(conditions[index]!, phase.rules[index]!.actions));
    // Later rules see what the actions changed.
    if (evaluation.state !== before) conditions = evaluate(phase, evaluation.state);
  }
}

function evaluate(phase: PreparedPhase, state: TrafficState): readonly (boolean | NonValue)[] {
  const results: (boolean | NonValue)[] = [];
  phase.conditions.evaluateAll(phase.build(state), results);
  return results;
}

/** A response of another kind than a stream has no events. Of one that is a stream, recordings do not hold them. */
function mayHaveEvents(evaluation: Evaluation): boolean {
  const { response, dialect } = evaluation.state;
  const type = firstHeader(response.headers, dialect.headerKey('content-type'));
  evaluation.doubt('the events of the stream');
  return typeof type === 'string' ? readMediaType(type).type === 'text/event-stream' : type !== undefined;
}
