import type { EvaluationError } from '@tollgate/cel';
import type { Ending, Note, Outcome } from '../effects/model/effect.ts';
import type { Counter, RequestState, ResponseState, TrafficState } from '../state/traffic-state.ts';

/** What a policy does to an exchange, and why. */
export interface Decision {
  /** The possible outcomes: exactly one, unless the decision is undetermined. */
  readonly outcomes: readonly Outcome[];
  /** The inputs that would settle the outcome; empty if there is only one. */
  readonly needs: readonly string[];
  /** The result of every rule, in the order of the policy. */
  readonly rules: readonly RuleResult[];
  /** The result of every module of the route, in the order in which they run. */
  readonly modules: readonly RuleResult[];
  readonly upstream: UpstreamTrace;
  /** The response that the client receives, as far as it is known; undefined if it receives none. */
  readonly response: ResponseState | undefined;
  /** Whether the client receives the recorded status, whatever it is. */
  readonly passesStatus: boolean;
  /** What limits and circuit breakers counted the exchange as. */
  readonly counters: readonly Counter[];
}

/** What the upstream receives. */
export interface UpstreamTrace {
  /** Undefined if it is not known. */
  readonly isAsked: boolean | undefined;
  /** The request as it is forwarded, as far as it is known. */
  readonly request: RequestState;
}

/** The result of one rule. */
export type RuleResult =
  /** An earlier action ended the evaluation, or the policy is disabled. */
  | { readonly status: 'not-reached' }
  | { readonly status: 'not-matched' }
  | { readonly status: 'failed'; readonly error: EvaluationError }
  | RuleEffect
  /** Whether it matched, or was reached at all, depends on `needs`; the effect is what it would have been. */
  | (Omit<RuleEffect, 'status'> & { readonly status: 'undetermined'; readonly needs: readonly string[] });

/** The effect of a matching rule. */
export interface RuleEffect {
  readonly status: 'matched';
  /** Every action that ran, in order; actions after one that ended the evaluation are missing. */
  readonly actions: readonly ActionTrace[];
  readonly before: TrafficState;
  /** The same object if nothing changed. */
  readonly after: TrafficState;
}

/** The effect of one action. */
export interface ActionTrace {
  readonly result: ActionResult;
  readonly before: TrafficState;
  /** The state in which evaluation continues; the same object if nothing changed. */
  readonly after: TrafficState;
  /** How it ended the evaluation, or may have. */
  readonly ending: Ending | undefined;
  /** The inputs that would settle whether it ended the evaluation; empty if that is known. */
  readonly needs: readonly string[];
  readonly notes: readonly Note[];
}

/** Whether an action had an effect. `idle`: it ran and found nothing to do. */
export type ActionResult = 'fired' | 'may-have-fired' | 'idle';

export const NOT_REACHED: RuleResult = { status: 'not-reached' };
export const NOT_MATCHED: RuleResult = { status: 'not-matched' };

/** Returns the metadata that the matching rules logged, in order. Undetermined rules are not included. */
export function loggedBy({ rules }: Decision): readonly unknown[] {
  const matched = rules.flatMap(rule => (rule.status === 'matched' ? rule.actions : []));
  return matched.flatMap(({ notes }) => notes.flatMap(note => (note.kind === 'logged' ? [note.metadata] : [])));
}
