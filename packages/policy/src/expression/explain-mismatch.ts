import { type CallExpr, type Expr, formatType, type TypedAst } from '@tollgate/cel';
import { childrenOf } from '@tollgate/cel/tooling';
import type { Diagnostic, Fix } from '@tollgate/diagnostics';

/** The expression that was probably meant. */
interface Meant {
  readonly source: string;
  readonly applicability: Fix['applicability'];
  /** True if the source is an operator, which needs parentheses inside another expression. */
  readonly isOperator?: boolean;
}

/** Adds a suggestion to a type mismatch, such as `in` for a list of header values, if one is known. */
export function explainMismatch(diagnostic: Diagnostic, typed: TypedAst): Diagnostic {
  if (diagnostic.code !== 'type/no-matching-overload') return diagnostic;
  const call = callAt(typed.ast.root, diagnostic);
  const quoted = call && quotedOperand(call, typed);
  if (quoted) return withQuotes(diagnostic, quoted);
  const meant = call && meantBy(call, typed);
  if (!meant) return diagnostic;
  const isWhole = call === typed.ast.root;
  const newText = meant.isOperator && !isWhole ? `(${meant.source})` : meant.source;
  const fix: Fix = {
    title: `change to \`${meant.source}\``,
    applicability: meant.applicability,
    edits: [{ range: call.range, newText }],
  };
  return { ...diagnostic, message: `${diagnostic.message}; write \`${meant.source}\``, fixes: [fix] };
}

const COMPARISONS: ReadonlySet<string> = new Set(['_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_']);

/** A literal with quotes that it must not have, or without quotes that it needs. */
interface QuotedOperand {
  readonly node: Expr;
  readonly newText: string;
  readonly remedy: string;
}

function quotedOperand({ function: name, args }: CallExpr, typed: TypedAst): QuotedOperand | undefined {
  if (!COMPARISONS.has(name)) return undefined;
  for (const [node, other] of [args, args.toReversed()]) {
    if (node?.kind !== 'literal' || !other) continue;
    const { literal } = node;
    const type = typeOf(other, typed);
    const source = typed.ast.source.slice(node.range.start, node.range.end);
    if (literal.type === 'string' && fitsWithoutQuotes(literal.value, type))
      return { node, newText: literal.value, remedy: `remove the quotes: \`${literal.value}\`` };
    if (type === 'string' && ['int', 'double', 'bool'].includes(literal.type))
      return { node, newText: `'${source}'`, remedy: `put quotes around it: \`'${source}'\`` };
  }
  return undefined;
}

function fitsWithoutQuotes(value: string, type: string): boolean {
  if (type === 'bool') return value === 'true' || value === 'false';
  return type === 'double' ? /^-?\d+\.?\d*$/.test(value) : type === 'int' && /^-?\d{1,18}$/.test(value);
}

function withQuotes(diagnostic: Diagnostic, { node, newText, remedy }: QuotedOperand): Diagnostic {
  const edits = [{ range: node.range, newText }];
  const fix: Fix = { title: remedy.split(':')[0]!, applicability: 'suggestion', edits };
  return { ...diagnostic, message: `${diagnostic.message}; ${remedy}`, fixes: [fix] };
}

/** Returns the innermost call that a range belongs to. */
function callAt(node: Expr, { range }: Pick<Diagnostic, 'range'>): CallExpr | undefined {
  if (node.range.start > range.start || node.range.end < range.end) return undefined;
  for (const child of childrenOf(node)) {
    const inner = callAt(child, { range });
    if (inner) return inner;
  }
  return node.kind === 'call' ? node : undefined;
}

function meantBy(call: CallExpr, typed: TypedAst): Meant | undefined {
  const operands = call.target ? [call.target, ...call.args] : call.args;
  const [a, b] = operands.map(node => ({ type: typeOf(node, typed), source: operandOf(node, typed) }));
  if (!a || !b) return undefined;
  if (call.function === '@in' && a.type === 'string' && b.type === 'string')
    return { source: `${b.source}.contains(${a.source})`, applicability: 'safe' };
  if (call.function === 'contains' && a.type.startsWith('map(string') && b.type === 'string')
    return { source: `${b.source} in ${a.source}`, applicability: 'safe', isOperator: true };
  if (call.function === 'contains' && a.type === 'list(string)' && b.type === 'string')
    return { source: `${a.source}.exists(v, v.contains(${b.source}))`, applicability: 'suggestion' };
  const [list, text] = a.type === 'string' ? [b, a] : [a, b];
  if (list.type !== 'list(string)' || text.type !== 'string') return undefined;
  const membership = `${text.source} in ${list.source}`;
  if (call.function === '_==_') return { source: membership, applicability: 'suggestion', isOperator: true };
  return call.function === '_!=_' ? { source: `!(${membership})`, applicability: 'suggestion' } : undefined;
}

function typeOf(node: Expr, { types }: TypedAst): string {
  const type = types[node.id];
  return type ? formatType(type) : '';
}

/** Returns the source of an operand, in parentheses if it is an operator. */
function operandOf(node: Expr, { ast }: TypedAst): string {
  const source = ast.source.slice(node.range.start, node.range.end);
  const isOperator = node.kind === 'call' && /^[^a-zA-Z]/.test(node.function) && !/^_\[/.test(node.function);
  return isOperator ? `(${source})` : source;
}
