import { isRefusal } from '../../actions/action-parts.ts';
import type { LintedFile } from '../../rule-api/lint-context.ts';
import type { LintedExpression } from '../../rule-api/linted-expression.ts';
import { isWantedToExist } from './guards.ts';

/**
 * Whether traffic that should be refused passes when the node that is visited ends in an error: the condition then does not match, though
 * a value that is missing or malformed would have been refused. Only while the node is visited.
 */
export function failsOpen(at: LintedExpression, { profile }: LintedFile): boolean {
  if (at.role !== 'condition' || profile.switches.evaluationError === 'fail-request') return false;
  return at.rule.actions.some(isRefusal) && !isWantedToExist(at.ancestors);
}
