import type { Expr } from '@tollgate/cel';
import type { Fix } from '@tollgate/diagnostics';
import { isNegation } from '../../expressions/source-nodes.ts';
import { editsOf, type LintedExpression, sourceOf } from '../../rule-api/linted-expression.ts';
import { isWantedToExist } from './guards.ts';

/** Macros as written have no type. */
function isMacroOfTruth(node: Expr): boolean {
  return node.kind === 'call' && /^(?:has|all|exists|exists_one|existsOne)$/.test(node.function);
}

function isNegationNode(node: Expr): boolean {
  return node.kind === 'call' && isNegation(node);
}

/**
 * Returns a fix that tests for a value first, around the smallest condition that reads it. If the rule can match only with the value, both
 * must hold; otherwise a missing value counts like one that does not fit. Valid only during the visit.
 */
export function guardFixes(at: LintedExpression, node: Expr, question: string): readonly Fix[] {
  const path = [...at.ancestors, node];
  let index = path.findLastIndex(one => at.typed.types[one.id]?.kind === 'bool' || isMacroOfTruth(one));
  while (index > 0 && isNegationNode(path[index - 1]!)) index -= 1;
  const condition = path[index];
  if (!condition) return [];
  // Each negation reverses the result that the guard needs.
  const outer = path.slice(0, index).filter(isNegationNode).length;
  const isWanted = outer % 2 === 1 || isWantedToExist(at.ancestors.slice(0, index + 1));
  const own = sourceOf(at, condition.range);
  const operator = isWanted ? '&&' : '||';
  const other = isWanted ? '||' : '&&';
  const inner = condition.kind === 'call' && [`_${other}_`, '_?_:_'].includes(condition.function) ? `(${own})` : own;
  const negated = /^[\w.]+\(/.test(question) ? `!${question}` : `!(${question})`;
  const whole = `${isWanted ? question : negated} ${operator} ${inner}`;
  const newText = index === 0 ? whole : `(${whole})`;
  const edits = editsOf(at, [{ range: condition.range, newText }]);
  return [{ title: `test \`${question}\` first`, applicability: 'suggestion', edits }];
}
