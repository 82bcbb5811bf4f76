import type { Outcome, RunAction } from '../effects/effect.ts';
import type { ActionResult } from './decision.ts';
import type { TrafficState } from './traffic-state.ts';

/** What the actions of a rule do when it matches. */
export interface ActionsRun {
  readonly results: readonly ActionResult[];
  /** The state in which evaluation goes on, if it does. */
  readonly state: TrafficState;
  /** Ways in which it may have ended, in order. */
  readonly outcomes: readonly Outcome[];
  /** Evaluation certainly ended. */
  readonly ended: boolean;
  /** What would tell whether it ended where that is open. */
  readonly needs: readonly string[];
}

/** Runs actions in order, until one ends the evaluation for sure. */
export function runActions(actions: readonly RunAction[], start: TrafficState): ActionsRun {
  const results: ActionResult[] = [];
  const outcomes: Outcome[] = [];
  const needs: string[] = [];
  let state = start;
  for (const run of actions) {
    const fired: ActionResult = outcomes.length === 0 ? 'fired' : 'may-have-fired';
    const effect = run(state);
    if (effect.kind === 'ends') {
      results.push(fired);
      outcomes.push(effect.outcome);
      return { results, state, outcomes, ended: true, needs };
    }
    if (effect.kind === 'may-end') {
      results.push('may-have-fired');
      outcomes.push(effect.outcome);
      needs.push(...effect.needs);
    } else results.push(effect.idle === true ? 'idle' : fired);
    state = effect.state;
  }
  return { results, state, outcomes, ended: false, needs };
}
