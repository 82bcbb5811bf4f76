/** Evaluates rules one after the other on one exchange, with all outcomes that are possible where something is unknown. */
import type { ProfileSwitches } from '@tollgate/catalog';
import { type EvaluationError, type NonValue, Unknown } from '@tollgate/cel';
import type { ResponseFacts } from '@tollgate/traffic';
import type { Effect, Ending, Moment, Outcome, RunAction } from '../actions/effect.ts';
import type { LimitSession, UpstreamAnswer } from '../actions/limit-counters.ts';
import { recordedResponse } from '../exchange-state/recorded-state.ts';
import {
  joinStates,
  type Known,
  MADE,
  NO_VALUES,
  type RequestState,
  type TrafficState,
} from '../exchange-state/traffic-state.ts';
import {
  type ActionResult,
  type ActionTrace,
  type Decision,
  NOT_MATCHED,
  type RuleResult,
  type UpstreamTrace,
} from './decision.ts';

const PASSED: Outcome = { kind: 'passed', status: undefined, action: undefined };
const FAILED: Outcome = { kind: 'failed', status: 500, action: undefined };

/** The context of an evaluation. */
interface EvaluationOptions {
  /** What a failing expression does to the request. */
  readonly evaluationError: ProfileSwitches['evaluationError'];
  readonly session?: LimitSession | undefined;
}

/**
 * An evaluation of a policy on one exchange, in progress. It carries one state, in which no action has ended the evaluation. If that is
 * undetermined, the possible endings are collected, and the effects of later rules are only possible.
 */
export class Evaluation {
  /** What is known of the exchange at this point. */
  state: TrafficState;
  /** Evaluation has certainly ended. */
  ended = false;
  readonly #options: EvaluationOptions;
  #recordedStatus: Known<number>;
  /** The possible endings, by outcome. */
  readonly #endings = new Map<string, Ending>();
  /** The outcomes if nothing else ends the evaluation. */
  #carried: readonly Outcome[] = [PASSED];
  /** The inputs that would settle whether evaluation reaches this point. */
  readonly #open = new Set<string>();
  /** The inputs that would settle the outcome. */
  readonly #needs = new Set<string>();
  #upstream: (UpstreamAnswer & { readonly request: RequestState }) | undefined;

  constructor(state: TrafficState, options: EvaluationOptions) {
    this.state = state;
    this.#options = options;
    this.#recordedStatus = state.response.status;
  }

  /** Begins a phase; variables belong to a single phase. */
  enterPhase(): void {
    if (this.state.vars !== NO_VALUES) this.state = { ...this.state, vars: NO_VALUES };
  }

  /** Makes the effects of later rules only possible. */
  doubt(need: string): void {
    this.#open.add(need);
  }

  /** Runs one rule. */
  step(condition: boolean | NonValue, actions: readonly RunAction[]): RuleResult {
    if (condition === false) return NOT_MATCHED;
    if (condition === true) return this.#match(this.#run(actions, []));
    if (condition instanceof Unknown) {
      const { attributes } = condition;
      return this.#mayMatch(this.#run(actions, attributes), attributes);
    }
    if (this.#failsRequests) {
      this.#addEnding(this.#failure());
      this.ended = true;
    }
    return { status: 'failed', error: condition as EvaluationError };
  }

  #run(actions: readonly RunAction[], needs: readonly string[]): ActionsRun {
    return runActions(actions, this.state, { session: this.#options.session, needs: [...this.#open, ...needs] });
  }

  #match(run: ActionsRun): RuleResult {
    const before = this.state;
    const needs = [...this.#open];
    this.#end(run);
    this.ended = run.ended;
    this.state = run.state;
    const result = { before, after: run.state };
    if (needs.length === 0) return { status: 'matched', actions: run.traces, ...result };
    return { status: 'undetermined', needs, actions: run.traces.map(onlyPossible), ...result };
  }

  #mayMatch(run: ActionsRun, attributes: readonly string[]): RuleResult {
    const before = this.state;
    const needs = [...new Set([...this.#open, ...attributes])].sort();
    this.#end(run);
    // An unknown value may also make the expression fail.
    if (this.#failsRequests) this.#addEnding(this.#failure());
    const mayEnd = run.endings.length > 0 || this.#failsRequests;
    if (mayEnd) this.#note(attributes);
    // If it had ended here, the state would no longer matter.
    if (!run.ended) this.state = joinStates(before, run.state, attributes);
    return { status: 'undetermined', needs, actions: run.traces.map(onlyPossible), before, after: run.state };
  }

  get #failsRequests(): boolean {
    return this.#options.evaluationError === 'fail-request';
  }

  #failure(): Ending {
    return {
      outcome: FAILED,
      state: { ...this.state, response: { status: 500, headers: {}, body: '', changes: MADE } },
    };
  }

  #end(run: ActionsRun): void {
    for (const ending of run.endings) this.#addEnding(ending);
    this.#note(run.needs);
  }

  #note(needs: readonly string[]): void {
    for (const need of needs) {
      this.#open.add(need);
      this.#needs.add(need);
    }
  }

  #addEnding(ending: Ending): void {
    const key = keyOf(ending.outcome);
    const known = this.#endings.get(key);
    const open = [...this.#open];
    const state = known ? joinStates(known.state, ending.state, open) : ending.state;
    const to = known === undefined || known.to === ending.to ? ending.to : new Unknown(open);
    this.#endings.set(key, { outcome: ending.outcome, state, ...(to !== undefined && { to }) });
  }

  /** Returns what the upstream receives after the rules for the request: it is asked unless one of them ended the evaluation. */
  upstream(): UpstreamTrace {
    const { isAsked, first, to } = this.#ways();
    return { isAsked, request: first.request, ...(to !== undefined && { to }) };
  }

  #ways(): {
    readonly isAsked: boolean | undefined;
    readonly first: TrafficState;
    readonly count: number;
    readonly to: Ending['to'];
  } {
    const ways = this.#endings.size === 0 ? NO_ENDINGS : [...this.#endings.values()];
    const forwards = ways.filter(({ outcome }) => outcome.kind === 'forwarded');
    const forwarded = forwards.map(({ state }) => state);
    const count = forwarded.length + (this.ended ? 0 : 1);
    const isCertain = count === 0 || forwarded.length === ways.length;
    const first = this.ended ? (forwarded[0] ?? this.state) : this.state;
    const isForwarded = forwards.some(one => one.to !== undefined);
    const to = isForwarded ? (count === 1 ? forwards[0]!.to : new Unknown([...this.#open])) : undefined;
    return { isAsked: isCertain ? count > 0 : undefined, first, count, to };
  }

  /** Takes in the response to the request as the rules have left it. */
  receive(facts: ResponseFacts): void {
    const received = (state: TrafficState): TrafficState => ({
      ...state,
      exchange: { ...state.exchange, response: facts },
      response: recordedResponse(facts, state.dialect),
    });
    this.state = received(this.state);
    this.#recordedStatus = this.state.response.status;
    for (const [key, ending] of this.#endings)
      if (ending.outcome.kind === 'forwarded') this.#endings.set(key, { ...ending, state: received(ending.state) });
  }

  /** Ends the rules for the request. */
  askUpstream(): void {
    const { isAsked, first, count } = this.#ways();
    const { status } = first.response;
    const isError = status instanceof Unknown || count > 1 ? undefined : status >= 500;
    this.#upstream = { isAsked, isError, request: first.request };
  }

  /** Continues with the responses of the edge as well as with that of the upstream. */
  resumeWithAnswers(): void {
    const answers = [...this.#endings.values()].filter(({ outcome }) => !FINAL.has(outcome.kind));
    if (answers.length === 0) return;
    const states = [...(this.ended ? [] : [this.state]), ...answers.map(({ state }) => state)];
    const needs = [...this.#open];
    this.#carried = [...answers.map(({ outcome }) => outcome), ...(this.ended ? [] : this.#carried)];
    this.state = states.reduce((a, b) => joinStates(a, b, needs));
    this.ended = false;
    for (const { outcome } of answers) this.#endings.delete(keyOf(outcome));
    // All possible paths meet here.
    if (this.#endings.size === 0) this.#open.clear();
  }

  /** Returns the possible outcomes. */
  finish(): Omit<Decision, 'rules' | 'modules'> {
    if (this.#upstream === undefined) this.askUpstream();
    const { isAsked, isError, request } = this.#upstream!;
    this.#options.session?.finish({ isAsked, isError });
    const ended = this.#endings.size === 0 ? NO_ENDINGS : [...this.#endings.values()];
    const outcomes = this.#outcomes(ended);
    const answers = ended.flatMap(({ outcome, state }) => (outcome.kind === 'closed' ? [] : [state]));
    const states = this.ended ? answers : [this.state, ...answers];
    const last = states.length < 2 ? states[0] : states.reduce((a, b) => joinStates(a, b, [...this.#needs]));
    return {
      outcomes,
      // All paths lead to the same outcome.
      needs: outcomes.length === 1 ? [] : [...this.#needs].sort(),
      upstream: { isAsked, request },
      response: last?.response,
      passesStatus: last !== undefined && last.response.status === this.#recordedStatus,
      counters: countersIn([...ended.map(({ state }) => state), ...(this.ended ? [] : [this.state])]),
    };
  }

  /** Each once. */
  #outcomes(ended: readonly Ending[]): readonly Outcome[] {
    if (ended.length === 0 && this.#carried.length === 1) return this.#carried;
    const all = [...ended.map(({ outcome }) => outcome), ...(this.ended ? [] : this.#carried)];
    return all.length === 1 ? all : [...new Map(all.map(outcome => [keyOf(outcome), outcome])).values()];
  }
}

/** Returns the counters of the longest way. */
function countersIn(states: readonly TrafficState[]): Decision['counters'] {
  return states.reduce<Decision['counters']>(
    (longest, { counters }) => (counters.length > longest.length ? counters : longest),
    [],
  );
}

const NO_ENDINGS: readonly Ending[] = [];

/** No rule runs after these, whatever the profile says about responses: `deny` ends the policy, not only its phase. */
const FINAL: ReadonlySet<Outcome['kind']> = new Set(['closed', 'denied', 'failed'] as const);

function keyOf({ kind, status, action }: Outcome): string {
  return `${kind} ${status} ${action}`;
}

function onlyPossible(trace: ActionTrace): ActionTrace {
  return trace.result === 'fired' ? { ...trace, result: 'may-have-fired' } : trace;
}

/** The effect of a matching rule's actions. */
interface ActionsRun {
  readonly traces: readonly ActionTrace[];
  /** The state in which evaluation continues, if it does. */
  readonly state: TrafficState;
  /** The possible endings, in order. */
  readonly endings: readonly Ending[];
  /** Whether evaluation certainly ended. */
  readonly ended: boolean;
  /** The inputs that would settle whether it ended. */
  readonly needs: readonly string[];
}

const NO_NOTES: ActionTrace['notes'] = [];

/** Runs actions in order, until one certainly ends the evaluation. */
function runActions(actions: readonly RunAction[], start: TrafficState, moment: Moment): ActionsRun {
  const traces: ActionTrace[] = [];
  const endings: Ending[] = [];
  const needs: string[] = [];
  let state = start;
  for (const run of actions) {
    const before = state;
    const effect = run(before, needs.length === 0 ? moment : { ...moment, needs: [...moment.needs, ...needs] });
    if (effect.kind !== 'ends') state = effect.state;
    const result = resultOf(effect, endings.length > 0);
    const ending = effect.kind === 'continues' ? undefined : effect.ending;
    if (ending !== undefined) endings.push(ending);
    const open = effect.kind === 'may-end' ? effect.needs : NOTHING_HAPPENED;
    traces.push({ result, before, after: state, ending, needs: open, notes: effect.notes ?? NO_NOTES });
    if (effect.kind === 'ends') return { traces, state, endings, ended: true, needs };
    needs.push(...open);
  }
  return { traces, state, endings, ended: false, needs };
}

const NOTHING_HAPPENED: readonly string[] = [];

function resultOf(effect: Effect, mayHaveEnded: boolean): ActionResult {
  if (effect.kind === 'continues' && effect.idle === true) return 'idle';
  return effect.kind === 'may-end' || mayHaveEnded ? 'may-have-fired' : 'fired';
}
