import type { Expr } from '@tollgate/cel';
import type { Fix } from '@tollgate/diagnostics';
import { editsOf, type LintedExpression, sourceOf } from '../rule-api/linted-expression.ts';

/** Returns a fix that replaces a node by a string literal, in the same quotes if it has some. */
export function literalFix(
  at: LintedExpression,
  node: Expr,
  { value, applicability }: { readonly value: string; readonly applicability: Fix['applicability'] },
): Fix {
  const newText = literalSource(sourceOf(at, node.range), value);
  return { title: `change to \`${value}\``, applicability, edits: editsOf(at, [{ range: node.range, newText }]) };
}

/** Returns a fix that replaces a node by other source. */
export function sourceFix(
  at: LintedExpression,
  node: Expr,
  {
    newText,
    title,
    applicability,
  }: { readonly newText: string; readonly title: string; readonly applicability: Fix['applicability'] },
): Fix {
  return { title, applicability, edits: editsOf(at, [{ range: node.range, newText }]) };
}

/** Returns a string as a CEL literal, in the quotes of another literal. */
export function literalSource(like: string, value: string): string {
  const quote = like.includes('"') ? '"' : "'";
  const escaped = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"');
  return quote + escaped.replaceAll(quote, `\\${quote}`) + quote;
}

/** Returns the source of a node, in parentheses if it cannot be the operand of a method or an operator as it is. */
export function operandSource(at: LintedExpression, node: Expr): string {
  const source = sourceOf(at, node.range);
  const isOperator = node.kind === 'call' && /^[^a-zA-Z]/.test(node.function) && !CLOSED.has(node.function);
  return isOperator ? `(${source})` : source;
}

/** Operators that end with a delimiter of their own. */
const CLOSED: ReadonlySet<string> = new Set(['_[_]', '_[?_]', '_?._']);
