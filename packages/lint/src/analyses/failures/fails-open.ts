import { isRefusal } from '../../actions/action-parts.ts';
import type { LintedFile } from '../../rule-api/lint-context.ts';
import type { LintedExpression } from '../../rule-api/linted-expression.ts';
import { isWantedToExist } from './guards.ts';

/**
 * Returns true if an evaluation error at the visited node lets traffic through that should be refused: the condition then does not match,
 * although a missing or malformed value would have been refused. Valid only during the visit.
 */
export function failsOpen(at: LintedExpression, { profile }: LintedFile): boolean {
  if (at.role !== 'condition' || profile.switches.evaluationError === 'fail-request') return false;
  return at.rule.actions.some(isRefusal) && !isWantedToExist(at.ancestors);
}
