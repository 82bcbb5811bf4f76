import type { EvaluationError } from '@tollgate/cel';
import type { Outcome } from '../effects/effect.ts';
import type { TrafficState } from './traffic-state.ts';

/** What a policy does to an exchange, and why. */
export interface Decision {
  /** What may have become of it: one, unless that is undetermined. */
  readonly outcomes: readonly Outcome[];
  /** What it would take to know which; empty when there is one. */
  readonly needs: readonly string[];
  /** For each rule, in the order of the policy: the trace. */
  readonly rules: readonly RuleResult[];
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
  readonly actions: readonly ActionResult[];
  readonly before: TrafficState;
  /** The same object when nothing changed. */
  readonly after: TrafficState;
}

/** Whether an action did what it is there for. `idle`: it ran, and found nothing to do. */
export type ActionResult = 'fired' | 'may-have-fired' | 'idle';

export const NOT_REACHED: RuleResult = { status: 'not-reached' };
export const NOT_MATCHED: RuleResult = { status: 'not-matched' };
