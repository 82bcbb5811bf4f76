/** The simulation of a policy: decides, traces, or begins a run with counters. */
import type { ProfileSwitches } from '@tollgate/catalog';
import type { NonValue } from '@tollgate/cel';
import type { Policy } from '@tollgate/policy';
import type { Exchange, ResponseFacts } from '@tollgate/traffic';
import { type RunAction, SIDES } from '../actions/effect.ts';
import { LimitSession } from '../actions/limit-counters.ts';
import {
  type Preparation,
  type PreparedPhase,
  prepareChanges,
  preparePhase,
  type RunnablePhase,
} from '../conditions/prepare-policy.ts';
import type { ConditionValue } from '../conditions/unclear-conditions.ts';
import { dialectOf } from '../exchange-state/dialect.ts';
import { firstHeader, readMediaType } from '../exchange-state/headers.ts';
import { initialState, recordedState, type StateOptions } from '../exchange-state/recorded-state.ts';
import type { Assumptions, TrafficState } from '../exchange-state/traffic-state.ts';
import {
  type Decision,
  NOT_MATCHED,
  NOT_REACHED,
  type Reach,
  type RuleResult,
  type UpstreamTrace,
  type Verdict,
  verdictOf,
} from './decision.ts';
import { Evaluation } from './evaluation.ts';
import {
  type DecisionTrace,
  type DecisionWatch,
  ObservedExpressions,
  prepareTraces,
  type Randomness,
  seededRandomness,
  type TraceRule,
  Tracing,
} from './tracing.ts';
import { type LeafContext, type Leaves, prepareLeaves, VerdictCache } from './verdict-cache.ts';

/** The options of a simulation. Profile and environments are those that the policy was analysed with. */
export interface SimulationOptions extends Preparation {
  readonly assumptions?: Assumptions;
  /** The time for expressions and notes, in ms since 1970-01-01T00:00:00Z; by default that of each exchange. */
  readonly now?: number;
  /** Seed of random functions, whose results are unknown without it. Each exchange has its own numbers, whatever came before it. */
  readonly seed?: number;
  /** Modules that act on traffic in addition to the policy. */
  readonly modules?: ModuleActions;
}

/** A compiled policy that decides exchanges. */
export interface Simulation {
  /** Decides one exchange. Keeps nothing between exchanges, so counters are unknown. */
  readonly decide: (exchange: Exchange) => Decision;
  /** Like `decide`, with the value of every subexpression; much slower. The same code decides. */
  readonly trace: (exchange: Exchange) => DecisionTrace;
  /**
   * Begins a run in which counters carry over from one exchange to the next.
   * @param orderFault why the exchanges may not be in order of time, in which case the effect of limits is unknown
   */
  readonly begin: (orderFault?: string) => SimulationRun;
  /** Returns the simulation of a policy of the same endpoint, compiled as far as it has other rules. */
  readonly changedTo: (policy: Policy) => Simulation;
}

/** A verdict, and the decision that it is the countable part of. */
export interface Judged {
  readonly verdict: Verdict;
  readonly decision: () => Decision;
}

/** What a policy does with a request before there is a response to it. */
export interface StartedDecision {
  readonly upstream: UpstreamTrace;
  /**
   * Decides what the client receives. To be called once.
   * @param response that of the upstream; undefined if it was not asked, or did not respond
   */
  readonly finish: (response: ResponseFacts | undefined) => Decision;
}

/** Decides exchanges one after the other, in order of time. */
export interface SimulationRun {
  /** An exchange earlier than a previous one is treated as simultaneous. */
  readonly decide: (exchange: Exchange) => Decision;
  /**
   * Like `decide`, in two steps, for traffic that is live: others may be decided between the steps.
   * @param exchange plain data, without a response
   */
  readonly start: (exchange: Exchange) => StartedDecision;
  /**
   * Like `decide`, with the value of every subexpression.
   * @param received the response to the request as the policy forwards it, instead of that of the exchange
   */
  readonly trace: (exchange: Exchange, received?: ResponseFacts) => DecisionTrace;
  /** Like `decide`, observed by a watch. */
  readonly observe: (exchange: Exchange, watch: DecisionWatch) => Decision;
  /** Like `decide`, but much faster: returns only the countable part. */
  readonly judge: (exchange: Exchange) => Verdict;
  /** Like `judge`, without what becomes of the exchange, which takes a plain evaluation for each rule that ends one. */
  readonly reach: (exchange: Exchange) => Reach;
  /** Like `judge`, with the whole decision, which is made when it is asked for. */
  readonly judged: (exchange: Exchange) => Judged;
  /**
   * Like `judged`, by the plain evaluation. Conditions on what was recorded are evaluated within `aside`, on the exchange that it passes: for
   * exchanges of one group, their results are the same.
   */
  readonly judgedInIsolation: (exchange: Exchange, aside: Aside) => Judged;
  readonly judgeInIsolation: (exchange: Exchange, aside: Aside) => Verdict;
  /** Undefined if verdicts depend on more than conditions. */
  readonly leaves: () => Leaves | undefined;
  /** Returns the number of counted exchanges that were out of order. */
  readonly late: () => number;
}

/**
 * Compiles a policy; without one, only modules act on the traffic. Throws an {@link InternalError} if the policy has an error or an unknown
 * action.
 */
export function createSimulation(policy: Policy | undefined, options: SimulationOptions): Simulation {
  const { profile, seed } = options;
  const randomness = seed === undefined ? undefined : seededRandomness(options.environments, seed);
  const environments = randomness?.environments ?? options.environments;
  const expressions = new ObservedExpressions();
  const { assume, effects } = options;
  const preparation = { profile, environments, compile: expressions.compile, assume, effects };
  const phases = profile.phases.map(phase => preparePhase(policy, phase, preparation));
  return simulationOf(policy, phases, { options, randomness, expressions, preparation });
}

interface SimulationParts {
  readonly options: SimulationOptions;
  readonly randomness: ReturnType<typeof seededRandomness> | undefined;
  readonly expressions: ObservedExpressions;
  readonly preparation: Preparation;
}

function simulationOf(
  policy: Policy | undefined,
  phases: readonly PreparedPhase[],
  parts: SimulationParts,
): Simulation {
  const { options, randomness, expressions } = parts;
  const { profile, seed } = options;
  const { environments } = parts.preparation;
  const isEnabled = policy?.enabled ?? true;
  const started = { dialect: dialectOf(profile), assumptions: options.assumptions ?? {}, now: options.now };
  const decideRequest = prepareDecisions(phases, isEnabled, options);
  const decideState = (state: TrafficState, beside: Beside) => decideRequest(state, beside).finish();
  const decide = (exchange: Exchange, beside: Beside) => {
    randomness?.begin(exchange);
    return decideState(initialState(exchange, started), beside);
  };
  const mayJudge = isEnabled && seed === undefined && options.modules === undefined && !phases.some(hasEventRules);
  let traceRule: TraceRule | undefined;
  const trace = (exchange: Exchange, beside: Beside) => {
    traceRule ??= prepareTraces(policy, phases, { profile, environments });
    const watch = new Tracing(traceRule, randomness);
    expressions.observe = watch.observe;
    try {
      return watch.finish(decide(exchange, { ...beside, watch }));
    } finally {
      expressions.observe = undefined;
    }
  };
  const runParts = {
    phases,
    randomness,
    decide,
    decideRequest,
    decideState,
    trace,
    started,
    mayJudge,
    failuresEnd: failuresEnd(profile),
  };
  return {
    decide: exchange => decide(exchange, {}),
    trace: exchange => trace(exchange, {}),
    begin: orderFault => beginRun(runParts, orderFault),
    changedTo: other => {
      // Random numbers are drawn in the order of the rules.
      if (policy === undefined || seed !== undefined) return createSimulation(other, options);
      const changed = phases.map(prepared => prepareChanges({ policy, prepared }, other, parts.preparation));
      return simulationOf(other, changed, parts);
    },
  };
}

interface RunParts {
  readonly phases: readonly PreparedPhase[];
  readonly decide: (exchange: Exchange, beside: Beside) => Decision;
  /** Undefined if the results of random functions are unknown. */
  readonly randomness: ReturnType<typeof seededRandomness> | undefined;
  readonly decideRequest: DecideRequest;
  readonly decideState: (state: TrafficState, beside: Beside) => Decision;
  readonly trace: (exchange: Exchange, beside: Beside) => DecisionTrace;
  readonly started: StateOptions;
  readonly mayJudge: boolean;
  readonly failuresEnd: boolean;
}

function failuresEnd({ switches }: SimulationOptions['profile']): boolean {
  return switches.evaluationError === 'fail-request';
}

function beginRun(
  { phases, randomness, decide, decideRequest, decideState, trace, started, mayJudge, failuresEnd }: RunParts,
  orderFault: string | undefined,
): SimulationRun {
  const session = new LimitSession(orderFault);
  // Made when a verdict is asked for: policy tests begin a run each and ask for none, and making it takes longer than many decisions.
  let cache: VerdictCache | undefined;
  const verdicts = () => {
    if (mayJudge) cache ??= new VerdictCache(phases, failuresEnd);
    return cache;
  };
  const verdictIn = (state: TrafficState) => verdictOf(decideState(state, { session }));
  const judgeOne = (exchange: Exchange) => {
    const judge = verdicts();
    if (judge === undefined) return verdictOf(decide(exchange, { session }));
    const state = recordedState(exchange, started);
    return judge.judge(state, () => verdictIn(state));
  };
  const judged = (exchange: Exchange): Judged => {
    const judge = verdicts();
    if (judge === undefined) return judgedAs(decide(exchange, { session }));
    const state = recordedState(exchange, started);
    let own: Decision | undefined;
    const verdict = judge.judge(state, () => {
      own = decideState(state, { session });
      return verdictOf(own);
    });
    // What other exchanges share depends on no counter.
    return { verdict, decision: () => own ?? decideState(state, {}) };
  };
  const decideApart = (exchange: Exchange, aside: Aside) => {
    const evaluate: Isolation['evaluate'] = inState => aside(one => inState(recordedState(one, started)));
    const state = recordedState(exchange, started);
    // Otherwise, conditions may read what actions change.
    const isConstant = aside(one => judgeOne(one).number !== undefined);
    return decideState(state, { session, apart: { evaluate, state: isConstant ? undefined : state } });
  };
  const leafContext = (judge: VerdictCache): LeafContext => ({
    stateOf: lastState(started),
    ends: judge.ends,
    judge: judgeOne,
    judgeResults: (results, exchange) =>
      judge.judgeResults(results, exchange && (() => verdictIn(recordedState(exchange, started)))),
  });
  return {
    decide: exchange => decide(exchange, { session }),
    start: prepareStart(decideRequest, { session, randomness, started }),
    trace: (exchange, received) => trace(exchange, { session, ...(received && { received }) }),
    observe: (exchange, watch) => decide(exchange, { session, watch }),
    judge: judgeOne,
    reach: exchange => verdicts()?.reach(recordedState(exchange, started)) ?? judgeOne(exchange),
    judged,
    judgedInIsolation: (exchange, aside) => judgedAs(decideApart(exchange, aside)),
    judgeInIsolation: (exchange, aside) => verdictOf(decideApart(exchange, aside)),
    leaves: () => {
      const judge = verdicts();
      return judge && prepareLeaves(phases, leafContext(judge));
    },
    late: () => session.late,
  };
}

/** What decisions on live traffic share. */
interface LiveContext {
  readonly session: LimitSession;
  /** Undefined if the results of random functions are unknown. */
  readonly randomness: Pick<Randomness, 'begin' | 'position' | 'moveTo'> | undefined;
  readonly started: StateOptions;
}

/** Returns a function that decides in two steps; see {@link SimulationRun.start}. */
export function prepareStart(
  decideRequest: (state: TrafficState, beside: { readonly session: LimitSession }) => HalfDecision,
  { session, randomness, started }: LiveContext,
): SimulationRun['start'] {
  return exchange => {
    randomness?.begin(exchange);
    const { evaluation, finish } = decideRequest(recordedState(exchange, started), { session });
    const resume = session.suspend();
    const position = randomness?.position();
    return {
      upstream: evaluation.upstream(),
      finish: response => {
        if (position !== undefined) randomness?.moveTo(position);
        resume();
        if (response !== undefined) evaluation.receive(response);
        return finish();
      },
    };
  };
}

function judgedAs(decision: Decision): Judged {
  return { verdict: verdictOf(decision), decision: () => decision };
}

/** Returns the state of an exchange. It is that of the last call for the same exchange, with what was looked up in it. */
function lastState(options: StateOptions): (exchange: Exchange) => TrafficState {
  let last: TrafficState | undefined;
  return exchange => {
    if (last?.exchange !== exchange) last = recordedState(exchange, options);
    return last;
  };
}

/** Whether rules for stream events run depends on the response, not only on their conditions. */
function hasEventRules({ phase, rules }: RunnablePhase): boolean {
  return SIDES[phase] === 'events' && rules.length > 0;
}

/** Returns what a function returns for the same exchange. What an exchange has looked up, it does not look up again. */
type Aside = <T>(evaluate: (exchange: Exchange) => T) => T;

/** Evaluates conditions on another state of the same exchange, so that what they look up is not known to the actions. */
interface Isolation {
  readonly evaluate: <T>(inState: (state: TrafficState) => T) => T;
  /** The only state in which conditions are evaluated there, unless they do not count; undefined if in every state. */
  readonly state: TrafficState | undefined;
}

interface Beside<Phase extends RunnablePhase = PreparedPhase> {
  readonly session?: LimitSession;
  /** The response to the request as the rules have left it, instead of that of the exchange. */
  readonly received?: ResponseFacts;
  readonly watch?: DecisionWatch<Phase>;
  readonly apart?: Isolation;
}

/** A decision in progress: the rules for the request have run. */
interface HalfDecision {
  readonly evaluation: Evaluation;
  /** Runs the rules for the response. */
  readonly finish: () => Decision;
}

/** Runs the rules for the request on a state. */
type DecideRequest<Phase extends RunnablePhase = PreparedPhase> = (
  state: TrafficState,
  beside: Beside<Phase>,
) => HalfDecision;

/** What decides how rules run, in addition to the rules. */
interface DecisionOptions extends Pick<SimulationOptions, 'modules'> {
  readonly profile: { readonly switches: Pick<ProfileSwitches, 'evaluationError' | 'responsePhaseAfterAnswer'> };
}

/** Returns a function that runs the rules of phases, in order. */
export function prepareDecisions<Phase extends RunnablePhase>(
  phases: readonly Phase[],
  isEnabled: boolean,
  { profile, modules }: DecisionOptions,
): DecideRequest<Phase> {
  const { evaluationError, responsePhaseAfterAnswer } = profile.switches;
  const half = phases.findIndex(({ phase }) => SIDES[phase] === 'request') + 1;
  const [before, after] = [phases.slice(0, half), phases.slice(half)];
  return (state, { session, watch, apart, received }) => {
    session?.begin(state.exchange);
    const evaluation = new Evaluation(state, { evaluationError, session });
    const rules: RuleResult[] = [];
    const found: RuleResult[] = [];
    const run = (actions: readonly RunAction[] = []) => {
      for (const action of actions) found.push(evaluation.ended ? NOT_REACHED : evaluation.step(true, [action]));
    };
    const runPhases = (some: readonly Phase[]) => {
      for (const phase of some) {
        const side = SIDES[phase.phase];
        if (side === 'request') run(modules?.beforeRequest);
        if (side === 'response') run(modules?.beforeResponse);
        runPhase(phase, evaluation, { rules, watch, apart, isIdle: !isEnabled });
        if (side === 'response') run(modules?.afterResponse);
        if (side === 'request') run(modules?.afterRequest);
      }
    };
    runPhases(before);
    if (received !== undefined) evaluation.receive(received);
    const finish = () => {
      evaluation.askUpstream();
      if (responsePhaseAfterAnswer === 'run') evaluation.resumeWithAnswers();
      runPhases(after);
      return { ...evaluation.finish(), rules, modules: found };
    };
    return { evaluation, finish };
  };
}

interface PhaseRun<Phase extends RunnablePhase> {
  readonly rules: RuleResult[];
  readonly watch: DecisionWatch<Phase> | undefined;
  readonly apart: Isolation | undefined;
  /** Whether no rule runs. */
  readonly isIdle: boolean;
}

function runPhase<Phase extends RunnablePhase>(
  phase: Phase,
  evaluation: Evaluation,
  { rules, watch, apart, isIdle: isOff }: PhaseRun<Phase>,
): void {
  if (phase.rules.length === 0) return;
  evaluation.enterPhase();
  const isIdle = isOff || (SIDES[phase.phase] === 'events' && !mayHaveEvents(evaluation));
  if (phase.conditions.next !== undefined) {
    searchPhase(phase, evaluation, rules, isIdle);
    return;
  }
  const evaluate = () => {
    const { state, ended } = evaluation;
    const isApart = apart && (ended || (apart.state ?? state) === state);
    return isApart ? apart.evaluate(one => evaluateAll(phase, one)) : evaluateAll(phase, state);
  };
  const evaluateAnew = () => watch?.evaluate(phase, evaluation.state, evaluate) ?? evaluate();
  let conditions = evaluateAnew();
  for (let index = 0; index < phase.rules.length; index++) {
    const isReached = !evaluation.ended && !isIdle;
    watch?.reach(phase, index, isReached ? evaluation.state : undefined);
    if (!isReached) {
      rules.push(NOT_REACHED);
      continue;
    }
    const before = evaluation.state;
    const { actions } = phase.rules[index]!;
    rules.push(evaluation.step(conditions[index]!, watch?.watched(actions) ?? actions));
    // Later rules see what the actions changed.
    if (evaluation.state !== before) conditions = evaluateAnew();
  }
}

/** Evaluates conditions one after the other, each in the state in which its rule is reached. */
function searchPhase(
  { conditions: { next }, rules: all }: RunnablePhase,
  evaluation: Evaluation,
  rules: RuleResult[],
  isIdle: boolean,
): void {
  const count = all.length;
  const results: ConditionValue[] = [];
  let at = 0;
  while (at < count) {
    const isReached = !evaluation.ended && !isIdle;
    const found = isReached ? next!(evaluation.state, results, at) : -1;
    const before = found < 0 ? count : found;
    for (; at < before; at++) rules.push(isReached ? NOT_MATCHED : NOT_REACHED);
    if (found >= 0) rules.push(evaluation.step(results[0]!, all[at++]!.actions));
  }
}

function evaluateAll(phase: RunnablePhase, state: TrafficState): readonly (boolean | NonValue)[] {
  const results: (boolean | NonValue)[] = [];
  phase.conditions.evaluateAll(state, results);
  return results;
}

/** A response that is not a stream has no events. Recordings do not contain those of a stream. */
export function mayHaveEvents(evaluation: Evaluation): boolean {
  const { response, dialect } = evaluation.state;
  const type = firstHeader(response.headers, dialect.headerKey('content-type'));
  evaluation.doubt('the events of the stream');
  return typeof type === 'string' ? readMediaType(type).type === 'text/event-stream' : type !== undefined;
}

/** Actions of a route's modules, by when they run relative to the rules of the policy. Each list is in order. */
export interface ModuleActions {
  readonly beforeRequest: readonly RunAction[];
  readonly afterRequest: readonly RunAction[];
  readonly beforeResponse: readonly RunAction[];
  readonly afterResponse: readonly RunAction[];
  /** Names of all modules, in the order in which they run. */
  readonly names: readonly string[];
}
