import type { ExpressionTrace, NonValue } from '@tollgate/cel';
import type { Policy } from '@tollgate/policy';
import type { Exchange } from '@tollgate/traffic';
import type { ModuleActions } from '../edge/module-actions.ts';
import { type RunAction, SIDES } from '../effects/effect.ts';
import { dialectOf } from '../message/dialect.ts';
import { firstHeader } from '../message/header-map.ts';
import { readMediaType } from '../message/media-type.ts';
import { Session } from '../session/session.ts';
import { type Decision, NOT_REACHED, type RuleResult } from './decision.ts';
import { Evaluation } from './evaluation.ts';
import { type Preparation, type PreparedPhase, preparePhase } from './prepare-policy.ts';
import { seededRandomness } from './randomness.ts';
import { conjunction, type DecisionTrace, prepareTraces, type TraceRule } from './trace-rules.ts';
import { type Assumptions, initialState, type TrafficState } from './traffic-state.ts';
import { type Verdict, verdictOf } from './verdict.ts';

/** What a policy is run with: the profile and the environments are those that it was analysed with. */
export interface SimulationOptions extends Preparation {
  readonly assumptions?: Assumptions;
  /** What the time is for expressions and notes, in ms since 1970-01-01T00:00:00Z; that of each exchange when absent. */
  readonly now?: number;
  /** For what policies draw by chance, which is not known without it: each exchange has its own numbers, whatever came before it. */
  readonly seed?: number;
  /** What works on traffic beside the policy. */
  readonly modules?: ModuleActions;
}

/** A policy made ready to run on traffic. */
export interface Simulation {
  /** Gives what the policy does to one exchange. Holds nothing between exchanges, so that counters are not known. */
  readonly decide: (exchange: Exchange) => Decision;
  /** As `decide`, with the value of every sub-expression; much slower. */
  readonly trace: (exchange: Exchange) => DecisionTrace;
  /** Begins a run in which counters are kept from one exchange to the next. */
  readonly begin: () => SimulationRun;
}

/** Exchanges that are decided one after the other, in the order of their time. */
export interface SimulationRun {
  /** One that is earlier than one before is taken to come at the same time. */
  readonly decide: (exchange: Exchange) => Decision;
  /** As `decide`, only what of it is counted; much faster. */
  readonly judge: (exchange: Exchange) => Verdict;
  /** How many that counted came out of the order of time. */
  readonly late: () => number;
}

/**
 * Compiles a policy; without one, traffic meets the modules only. It must be one without errors: an expression that has one, or an action that the profile does not have, is an
 * {@link InternalError}.
 */
export function createSimulation(policy: Policy | undefined, options: SimulationOptions): Simulation {
  const { profile, seed } = options;
  const randomness = seed === undefined ? undefined : seededRandomness(options.environments, seed);
  const environments = randomness?.environments ?? options.environments;
  const phases = profile.phases.map(phase => preparePhase(policy, phase, { profile, environments }));
  const decideAnew = prepareDecisions(phases, policy?.enabled ?? true, options);
  const decide = (exchange: Exchange, beside: Beside) => {
    randomness?.begin(exchange);
    return decideAnew(exchange, beside);
  };
  let traces: ReadonlyMap<PreparedPhase, TraceRule> | undefined;
  return {
    decide: exchange => decide(exchange, {}),
    trace: exchange => {
      traces ??= new Map(phases.map(phase => [phase, prepareTraces(phase, environments)]));
      const expressions: (readonly (ExpressionTrace | undefined)[])[] = [];
      const watch: Watch = (phase, index, state) => {
        const none = phase.rules[index]!.expressions.map(() => undefined);
        const found = state === undefined ? none : traces!.get(phase)!(index, state);
        expressions.push(found);
        // What was drawn by chance counts: it would be something else when drawn again.
        return seed === undefined || state === undefined ? undefined : conjunction(found);
      };
      return { ...decide(exchange, { watch }), expressions };
    },
    begin: () => {
      const session = new Session();
      return {
        decide: exchange => decide(exchange, { session }),
        judge: exchange => verdictOf(decide(exchange, { session })),
        late: () => session.late,
      };
    },
  };
}

/** Is told of every rule, in order, and of the state in which it is reached, if it is. May say what its condition gives. */
type Watch = (phase: PreparedPhase, index: number, state: TrafficState | undefined) => boolean | NonValue | undefined;

interface Beside {
  readonly session?: Session;
  readonly watch?: Watch;
}

function prepareDecisions(
  phases: readonly PreparedPhase[],
  isEnabled: boolean,
  { profile, assumptions = {}, now, modules }: SimulationOptions,
): (exchange: Exchange, beside: Beside) => Decision {
  const started = { dialect: dialectOf(profile), assumptions, now };
  const { evaluationError, responsePhaseAfterAnswer } = profile.switches;
  return (exchange, { session, watch }) => {
    session?.begin(exchange);
    const evaluation = new Evaluation(initialState(exchange, started), { evaluationError, session });
    const rules: RuleResult[] = [];
    const found: RuleResult[] = [];
    const run = (actions: readonly RunAction[] = []) => {
      for (const action of actions) found.push(evaluation.ended ? NOT_REACHED : evaluation.step(true, [action]));
    };
    for (const phase of phases) {
      const side = SIDES[phase.phase];
      if (side === 'request') run(modules?.beforeRequest);
      if (side === 'response') run(modules?.beforeResponse);
      runPhase(phase, evaluation, { rules, watch, isIdle: !isEnabled });
      if (side === 'response') run(modules?.afterResponse);
      if (side !== 'request') continue;
      run(modules?.afterRequest);
      evaluation.askUpstream();
      if (responsePhaseAfterAnswer === 'run') evaluation.resumeWithAnswers();
    }
    return { ...evaluation.finish(), rules, modules: found };
  };
}

interface PhaseRun {
  readonly rules: RuleResult[];
  readonly watch: Watch | undefined;
  /** No rule runs. */
  readonly isIdle: boolean;
}

function runPhase(phase: PreparedPhase, evaluation: Evaluation, { rules, watch, isIdle: isOff }: PhaseRun): void {
  if (phase.rules.length === 0) return;
  evaluation.enterPhase();
  const isIdle = isOff || (SIDES[phase.phase] === 'events' && !mayHaveEvents(evaluation));
  let conditions = evaluate(phase, evaluation.state);
  for (let index = 0; index < phase.rules.length; index++) {
    const isReached = !evaluation.ended && !isIdle;
    const watched = watch?.(phase, index, isReached ? evaluation.state : undefined);
    if (!isReached) {
      rules.push(NOT_REACHED);
      continue;
    }
    const before = evaluation.state;
    rules.push(evaluation.step(watched ?? conditions[index]!, phase.rules[index]!.actions));
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
