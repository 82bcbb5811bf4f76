import { endsUnlessItFails, mayRefuse, terminationOf } from '@tollgate/catalog';
import type { Action, Rule } from '@tollgate/policy';
import { isAnswer, isRefusal } from '../../actions/action-parts.ts';
import type { ValueTest } from '../../expressions/value-tests.ts';
import type { LintedExpression } from '../../rule-api/linted-expression.ts';

/** Returns true if the action may refuse traffic by a check of its own: a signature, a password, an address. Limits do not count. */
export function isCheck(action: Action): boolean {
  return mayRefuse(action) && !isLimit(action);
}

/** Returns true if the refusal depends on the amount of traffic: a rate limit or a circuit breaker. */
export function isLimit({ fact }: Action): boolean {
  return fact?.config.some(({ role, name }) => role === 'bucket-key' || name === 'error_threshold') ?? false;
}

/** Returns true if the action forwards the traffic, so that nothing after it runs unless it fails. */
function isHandOver(action: Action): boolean {
  if (endsUnlessItFails(action)) return true;
  return terminationOf(action) === 'always' && !isRefusal(action) && !isAnswer(action);
}

/** Returns true if the rule refuses what it matches, or checks it. */
export function keepsOut({ actions }: Pick<Rule, 'actions'>): boolean {
  return actions.some(action => isRefusal(action) || isCheck(action));
}

/** What a test does to the traffic for which it holds. */
type Access = 'refuses' | 'spares';

/**
 * Returns what a test of a condition does to the traffic for which it holds; undefined if neither. A rule that forwards traffic spares it
 * if the last rule of the phase refuses the rest.
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
