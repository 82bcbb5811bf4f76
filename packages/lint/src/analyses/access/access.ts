import { endsUnlessItFails, mayRefuse, terminationOf } from '@tollgate/catalog';
import type { Action, Rule } from '@tollgate/policy';
import { isAnswer, isRefusal } from '../../actions/action-parts.ts';
import type { ValueTest } from '../../expressions/value-tests.ts';
import type { LintedExpression } from '../../rule-api/linted-expression.ts';

/** Whether the action may refuse traffic by a check of its own: a signature, a password, an address. Limits ask nobody who they are. */
export function isCheck(action: Action): boolean {
  return mayRefuse(action) && !isLimit(action);
}

/** Whether what the action refuses depends on how much traffic there is: a rate limit, a circuit breaker. */
export function isLimit({ fact }: Action): boolean {
  return fact?.config.some(({ role, name }) => role === 'bucket-key' || name === 'error_threshold') ?? false;
}

/** Whether the action hands the traffic on, and nothing behind it runs unless that fails. */
export function isHandOver(action: Action): boolean {
  if (endsUnlessItFails(action)) return true;
  return terminationOf(action) === 'always' && !isRefusal(action) && !isAnswer(action);
}

/** Whether the rule keeps traffic out: it refuses what it matches, or checks it. */
export function keepsOut({ actions }: Pick<Rule, 'actions'>): boolean {
  return actions.some(action => isRefusal(action) || isCheck(action));
}

/** What a test does to the traffic that it holds for: keeps it out, or lets it pass. */
export type Access = 'refuses' | 'spares';

/**
 * What a test of a condition does to the traffic that it holds for; undefined where it does neither. A rule that hands traffic on lets it
 * pass where the last rule of the phase refuses the rest.
 */
export function accessOf(
  { rule, policy }: Pick<LintedExpression, 'rule' | 'policy'>,
  { kind, isNegated }: Pick<ValueTest, 'kind' | 'isNegated'>,
): Access | undefined {
  const holds = (kind === '!=') === isNegated;
  if (keepsOut(rule)) return holds ? 'refuses' : 'spares';
  const last = policy.rules[rule.phase].at(-1);
  const isRest = last !== undefined && last.expressions.length === 0 && last.actions.some(isRefusal);
  if (!isRest || !rule.actions.some(isHandOver)) return undefined;
  return holds ? 'spares' : 'refuses';
}
