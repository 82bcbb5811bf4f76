import type { Expr } from '@tollgate/cel';
import type { Fix } from '@tollgate/diagnostics';
import { editsOf, type LintedExpression, sourceOf } from '../rule-api/linted-expression.ts';

/** A fix that writes another text in the place of a node, as a literal in the same quotes where there are some. */
export function literalFix(
  at: LintedExpression,
  node: Expr,
  { value, applicability }: { readonly value: string; readonly applicability: Fix['applicability'] },
): Fix {
  const newText = literalSource(sourceOf(at, node.range), value);
  return { title: `change to \`${value}\``, applicability, edits: editsOf(at, [{ range: node.range, newText }]) };
}

/** A fix that writes other source in the place of a node. */
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

/** A text as a literal of CEL, in the quotes of another. */
export function literalSource(like: string, value: string): string {
  const quote = like.includes('"') ? '"' : "'";
  const escaped = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"');
  return quote + escaped.replaceAll(quote, `\\${quote}`) + quote;
}

/** The source of a node, in brackets where an operator or a call behind it would take only a part of it. */
export function operandSource(at: LintedExpression, node: Expr): string {
  const source = sourceOf(at, node.range);
  const isOperator = node.kind === 'call' && /^[^a-zA-Z]/.test(node.function) && !CLOSED.has(node.function);
  return isOperator ? `(${source})` : source;
}

/** Indices and optional selections end where their source does. */
const CLOSED: ReadonlySet<string> = new Set(['_[_]', '_[?_]', '_?._']);
