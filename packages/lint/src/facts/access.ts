import type { Action, Rule } from '@tollgate/policy';
import { isRefusal } from './action-parts.ts';
import type { ValueTest } from './value-tests.ts';

/** Whether the action may refuse traffic by a check of its own: a signature, a password, an address. Limits ask nobody who they are. */
export function isCheck(action: Action): boolean {
  return mayRefuse(action) && !isLimit(action);
}

/** Whether the action refuses some of the traffic, and lets the rest pass. */
export function mayRefuse({ fact }: Action): boolean {
  return fact?.terminates === 'on-refusal';
}

/** Whether what the action refuses depends on how much traffic there is: a rate limit, a circuit breaker. */
export function isLimit({ fact }: Action): boolean {
  return fact?.config.some(({ role, name }) => role === 'bucket-key' || name === 'error_threshold') ?? false;
}

/** Whether the rule keeps traffic out: it refuses what it matches, or checks it. */
export function keepsOut({ actions }: Rule): boolean {
  return actions.some(action => isRefusal(action) || isCheck(action));
}

/** Whether a test that holds keeps traffic out (`refuses`) or lets it pass (`spares`); undefined in rules that do neither. */
export function accessOf(rule: Rule, { kind, isNegated }: Pick<ValueTest, 'kind' | 'isNegated'>): Access | undefined {
  if (!keepsOut(rule)) return undefined;
  return (kind === '!=') === isNegated ? 'refuses' : 'spares';
}

/** What a test does to the traffic that it holds for. */
export type Access = 'refuses' | 'spares';
