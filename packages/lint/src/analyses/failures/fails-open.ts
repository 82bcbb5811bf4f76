import type { Expr } from '@tollgate/cel';
import { isRefusal } from '../../actions/action-parts.ts';
import { isNegation } from '../../expressions/source-nodes.ts';
import type { LintedFile } from '../../rule-api/lint-context.ts';
import type { LintedExpression } from '../../rule-api/linted-expression.ts';
import { isWantedToExist } from './guards.ts';

/**
 * Returns true if an evaluation error at the visited node lets traffic through that should be refused: the condition then does not match,
 * although a missing or malformed value would have been refused. Valid only during the visit.
 */
export function failsOpen(at: LintedExpression, { profile }: Pick<LintedFile, 'profile'>): boolean {
  if (at.role !== 'condition' || profile.switches.evaluationError === 'fail-request') return false;
  return at.rule.actions.some(isRefusal) && !isWantedToExist(at.ancestors);
}

/** What a condition reads without a test. */
interface UnguardedRead {
  readonly name: string;
  readonly side: 'request' | 'response';
  readonly question: string;
}

/**
 * Returns the message for a read that fails for traffic without the name. In a rule that refuses traffic, it says what happens then: an
 * error is no match, so the traffic passes. Valid only during the visit.
 */
export function unguardedMessage(
  { name, side, question }: UnguardedRead,
  at: LintedExpression,
  file: Pick<LintedFile, 'profile'>,
): string {
  const what = `condition fails with an error for ${side}s without \`${name}\``;
  if (!failsOpen(at, file)) return `${what}; test \`${question}\` first`;
  return `${what}, ${isDecisive(at.ancestors) ? 'so this rule lets them pass' : 'which this rule may then let pass'}; test \`${question}\` first`;
}

/** Returns true if the condition cannot hold when one of its parts ends in an error. */
function isDecisive(ancestors: readonly Expr[]): boolean {
  const isNegated = ancestors.some(node => node.kind === 'call' && isNegation(node));
  return ancestors.every(node => {
    if (node.kind !== 'call') return true;
    return node.function === '_&&_' ? !isNegated : !MAY_HOLD.has(node.function);
  });
}

/** Operators and macros whose other operands or elements may decide in spite of an error. */
const MAY_HOLD: ReadonlySet<string> = new Set([
  ...['_||_', '_?_:_', 'exists', 'all', 'exists_one', 'existsOne', 'filter', 'map'],
]);
