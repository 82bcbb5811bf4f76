import type { ProfileSwitches } from '@tollgate/catalog';
import type { EvaluationError } from '@tollgate/cel';
import { type NonValue, Unknown } from '@tollgate/cel';
import type { Outcome, RunAction } from '../effects/effect.ts';
import { type ActionResult, NOT_MATCHED, type RuleResult } from './decision.ts';
import { type ActionsRun, runActions } from './run-rule.ts';
import { joinStates, type TrafficState } from './traffic-state.ts';

const FAILED: Outcome = { kind: 'failed', status: 500, action: undefined };

/**
 * The evaluation of a policy on one exchange, as it goes on. One state is carried along: that in which no action has ended the evaluation.
 * Where it is open whether one did, the ways in which it may have ended are collected, and what later rules do is only possible.
 */
export class Evaluation {
  /** What is known of the exchange at this point. */
  state: TrafficState;
  /** Evaluation has certainly ended. */
  ended = false;
  readonly #outcomes = new Map<string, Outcome>();
  readonly #needs = new Set<string>();
  readonly #failsRequests: boolean;

  /** @param onError what an expression that fails does to the request */
  constructor(state: TrafficState, onError: ProfileSwitches['evaluationError'] = 'skip-rule') {
    this.state = state;
    this.#failsRequests = onError === 'fail-request';
  }

  /** Goes on by one rule. */
  step(condition: boolean | NonValue, actions: readonly RunAction[]): RuleResult {
    if (condition === false) return NOT_MATCHED;
    if (condition === true) return this.#match(runActions(actions, this.state));
    if (condition instanceof Unknown) return this.#mayMatch(runActions(actions, this.state), condition.attributes);
    if (this.#failsRequests) {
      this.#addOutcome(FAILED);
      this.ended = true;
    }
    return { status: 'failed', error: condition as EvaluationError };
  }

  #match(run: ActionsRun): RuleResult {
    const before = this.state;
    const needs = [...this.#needs];
    this.#end(run);
    this.ended = run.ended;
    this.state = run.state;
    const result = { before, after: run.state };
    if (needs.length === 0) return { status: 'matched', actions: run.results, ...result };
    return { status: 'undetermined', needs, actions: run.results.map(onlyPossible), ...result };
  }

  #mayMatch(run: ActionsRun, attributes: readonly string[]): RuleResult {
    const before = this.state;
    const needs = [...new Set([...this.#needs, ...attributes])].sort();
    this.#end(run);
    // What is not known may also be something that the expression fails on.
    if (this.#failsRequests) this.#addOutcome(FAILED);
    const mayEnd = run.outcomes.length > 0 || this.#failsRequests;
    if (mayEnd) for (const attribute of attributes) this.#needs.add(attribute);
    // Had it ended here, the state would no longer matter.
    if (!run.ended) this.state = joinStates(before, run.state, attributes);
    return { status: 'undetermined', needs, actions: run.results.map(onlyPossible), before, after: run.state };
  }

  #end(run: ActionsRun): void {
    for (const outcome of run.outcomes) this.#addOutcome(outcome);
    for (const need of run.needs) this.#needs.add(need);
  }

  #addOutcome(outcome: Outcome): void {
    const key = `${outcome.kind} ${outcome.status} ${outcome.action}`;
    if (!this.#outcomes.has(key)) this.#outcomes.set(key, outcome);
  }

  /** What may have become of the exchange. `passed` is that when nothing ended the evaluation. */
  outcomes(passed: Outcome): { readonly outcomes: readonly Outcome[]; readonly needs: readonly string[] } {
    if (!this.ended) this.#addOutcome(passed);
    const outcomes = [...this.#outcomes.values()];
    // Whichever way it went, the end is the same.
    return { outcomes, needs: outcomes.length === 1 ? [] : [...this.#needs].sort() };
  }
}

function onlyPossible(result: ActionResult): ActionResult {
  return result === 'fired' ? 'may-have-fired' : result;
}
