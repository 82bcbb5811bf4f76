import type { Ast, CallExpr, Expr, TypedAst } from '@tollgate/cel';
import { unparse } from '@tollgate/cel';
import { inputPathOf } from '@tollgate/cel/tooling';
import type { Range, TextEdit } from '@tollgate/diagnostics';
import type { Counterparts } from './counterparts.ts';

/** A change of meaning, or a part without a counterpart. Ranges are of the rewritten source. */
export interface Loss {
  /** `migrate/…`. */
  readonly code: string;
  /** `error` means that a person must complete the migration. */
  readonly severity: 'warning' | 'error';
  readonly message: string;
  readonly range: Range;
  readonly args: Readonly<Record<string, string>>;
}

/** The state of rewriting an expression: its trees, and the edits and losses so far. */
export interface Rewriting {
  /** The parsed tree, without conversions of open values. */
  readonly ast: Ast;
  readonly typed: TypedAst;
  readonly counterparts: Counterparts;
  readonly edits: TextEdit[];
  readonly losses: Loss[];
  /** By the id of a macro over cookies, whose cookies they are. */
  readonly cookieLoops: Map<number, 'request' | 'response'>;
}

/** Adds an edit unless it changes nothing. */
export function replace({ ast, edits }: Rewriting, range: Range, newText: string): void {
  if (ast.source.slice(range.start, range.end) !== newText) edits.push({ range, newText });
}

/** Adds a warning. */
export function warn(rewriting: Rewriting, expr: { range: Range }, code: string, message: string): void {
  const { source } = rewriting.ast;
  const written = source.slice(expr.range.start, expr.range.end);
  rewriting.losses.push({ code, severity: 'warning', message, range: expr.range, args: { written } });
}

/** Adds an error: the range is left unchanged. */
export function giveUp(rewriting: Rewriting, range: Range, code: string, message: string): void {
  const written = rewriting.ast.source.slice(range.start, range.end);
  rewriting.losses.push({ code, severity: 'error', message, range, args: { written } });
}

/** Returns the path of selections from a declared variable, without a leading dot: `req.Headers`. */
export function pathOf({ typed }: Rewriting, expr: Expr): string | undefined {
  return inputPathOf(typed, expr, { isField: () => true });
}

/** Returns the value of a string literal, or undefined. */
export function textOf(expr: Expr | undefined): string | undefined {
  return expr?.kind === 'literal' && expr.literal.type === 'string' ? expr.literal.value : undefined;
}

/** Replaces a string literal, keeping its quotes if possible. */
export function replaceString(rewriting: Rewriting, expr: Expr, value: string): void {
  const { source } = rewriting.ast;
  const old = textOf(expr) ?? '';
  const written = source.slice(expr.range.start, expr.range.end);
  const isVerbatim = old !== '' && written.split(old).length === 2 && !/[\\'"\n]/.test(value);
  const literal = { type: 'string', value } as const;
  const root = { kind: 'literal', id: 1, range: expr.range, literal } as const;
  const printed = unparse({ source: '', root, nextId: 2, macroCalls: new Map() });
  replace(rewriting, expr.range, isVerbatim ? written.replace(old, () => value) : printed);
}

/** Rewrites a call with a certain variable as operand; the other operands may still have to be visited. */
export type RewriteOperand = (rewriting: Rewriting, call: CallExpr, operand: Expr) => 'rewritten' | 'untouched';
