import type { Expr } from '@tollgate/cel';
import { placedOperator } from '@tollgate/cel/tooling';
import type { Fix, Range } from '@tollgate/diagnostics';
import { isNegation } from '../../expressions/source-nodes.ts';
import { editsOf, type LintedExpression, sourceOf } from '../../rule-api/linted-expression.ts';

/** Macros as written have no type. */
function isMacroOfTruth(node: Expr): boolean {
  return node.kind === 'call' && /^(?:has|all|exists|exists_one|existsOne)$/.test(node.function);
}

function isNegationNode(node: Expr): boolean {
  return node.kind === 'call' && isNegation(node);
}

/** Tests that do not hold for a value that is missing. */
const POSITIVE: ReadonlySet<string> = new Set([
  ...['_==_', '@in', 'contains', 'startsWith', 'endsWith', 'matches', 'exists', 'exists_one', 'existsOne'],
]);

/** How to test for a value, and how to write the key that its map has. */
interface Guard {
  readonly question: string;
  /** The key of the read, and its spelling in the map. */
  readonly key?: { readonly range: Range; readonly source: string };
}

/**
 * Returns a fix that tests for a value first, around the smallest condition that reads it, so that a missing value has the result that is
 * natural for that condition: it equals nothing, and differs from everything. Where neither is natural, as for `<`, the rule matches
 * without the value. Valid only during the visit.
 */
export function guardFixes(at: LintedExpression, node: Expr, { question, key }: Guard): readonly Fix[] {
  const path = [...at.ancestors, node];
  const index = path.findLastIndex(one => at.typed.types[one.id]?.kind === 'bool' || isMacroOfTruth(one));
  const condition = path[index];
  if (!condition) return [];
  // Each negation reverses the result that the guard needs.
  const isReversed = path.slice(0, index).filter(isNegationNode).length % 2 === 1;
  const name = condition.kind === 'call' ? condition.function : '';
  const mustExist = POSITIVE.has(name) || (name !== '_!=_' && isReversed);
  const { source } = at.typed.ast;
  const own = withKey(at, condition, key);
  const inner = name === (mustExist ? '_||_' : '_&&_') || name === '_?_:_' ? `(${own})` : own;
  const operator = mustExist ? '&&' : '||';
  const whole = `${mustExist ? question : negation(question)} ${operator} ${inner}`;
  const newText = placedOperator(whole, operator, { source, range: condition.range });
  const edits = editsOf(at, [{ range: condition.range, newText }]);
  return [{ title: `test \`${question}\` first`, applicability: 'suggestion', edits }];
}

/** Returns the opposite of a question. */
function negation(question: string): string {
  if (/ > 0$/.test(question)) return question.replace(/ > 0$/, ' == 0');
  return /^[\w.]+\([^()]*\)$/.test(question) ? `!${question}` : `!(${question})`;
}

function withKey(at: LintedExpression, { range }: Expr, key: Guard['key']): string {
  const own = sourceOf(at, range);
  if (!key) return own;
  return own.slice(0, key.range.start - range.start) + key.source + own.slice(key.range.end - range.start);
}
