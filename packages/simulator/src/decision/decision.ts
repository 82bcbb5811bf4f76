import type { EvaluationError } from '@tollgate/cel';
import type { Ending, Note, Outcome } from '../effects/model/effect.ts';
import type { RequestState, ResponseState, TrafficState } from '../state/traffic-state.ts';

/** What a policy does to an exchange, and why. */
export interface Decision {
  /** What may have become of it: one, unless that is undetermined. */
  readonly outcomes: readonly Outcome[];
  /** What it would take to know which; empty when there is one. */
  readonly needs: readonly string[];
  /** For each rule, in the order of the policy: the trace. */
  readonly rules: readonly RuleResult[];
  /** For each action of the modules beside the policy, in the order in which they work. */
  readonly modules: readonly RuleResult[];
  readonly upstream: UpstreamTrace;
  /** What the client gets, so far as it is known; undefined where it gets no response. */
  readonly response: ResponseState | undefined;
  /** The client gets the status that was recorded, whatever it is. */
  readonly passesStatus: boolean;
}

/** What the upstream gets. */
export interface UpstreamTrace {
  /** Undefined where that is not known. */
  readonly isAsked: boolean | undefined;
  /** The request as it is when it is sent, so far as that is known. */
  readonly request: RequestState;
}

/** What one rule did. */
export type RuleResult =
  /** An earlier action has ended the evaluation, or the policy is disabled. */
  | { readonly status: 'not-reached' }
  | { readonly status: 'not-matched' }
  | { readonly status: 'failed'; readonly error: EvaluationError }
  | RuleEffect
  /** Whether it matched, or was reached at all, hangs on `needs`; its effect is what it would have done. */
  | (Omit<RuleEffect, 'status'> & { readonly status: 'undetermined'; readonly needs: readonly string[] });

/** What a rule that matches does. */
export interface RuleEffect {
  readonly status: 'matched';
  /** For each action that ran, in order; actions after one that ended the evaluation are left out. */
  readonly actions: readonly ActionTrace[];
  readonly before: TrafficState;
  /** The same object when nothing changed. */
  readonly after: TrafficState;
}

/** What one action did. */
export interface ActionTrace {
  readonly result: ActionResult;
  readonly before: TrafficState;
  /** Where evaluation goes on; the same object when nothing changed. */
  readonly after: TrafficState;
  /** How it ended the evaluation, if it did, or may have. */
  readonly ending: Ending | undefined;
  /** What would tell whether it ended the evaluation, where that is open. */
  readonly needs: readonly string[];
  readonly notes: readonly Note[];
}

/** Whether an action did what it is there for. `idle`: it ran, and found nothing to do. */
export type ActionResult = 'fired' | 'may-have-fired' | 'idle';

export const NOT_REACHED: RuleResult = { status: 'not-reached' };
export const NOT_MATCHED: RuleResult = { status: 'not-matched' };

/** What goes into the event that is written for the traffic, in order; of rules that matched for sure. */
export function loggedBy({ rules }: Decision): readonly unknown[] {
  const matched = rules.flatMap(rule => (rule.status === 'matched' ? rule.actions : []));
  return matched.flatMap(({ notes }) => notes.flatMap(note => (note.kind === 'logged' ? [note.metadata] : [])));
}
