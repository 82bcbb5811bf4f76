import type { Ast, CallExpr, Expr, TypedAst } from '@tollgate/cel';
import { unparse } from '@tollgate/cel';
import type { Range, TextEdit } from '@tollgate/diagnostics';
import type { Counterparts } from './counterparts.ts';

/** Something that the new profile does not have in the same way. Ranges are of the text that is rewritten. */
export interface Loss {
  /** `migrate/…`. */
  readonly code: string;
  /** `error`: a person must finish the work. */
  readonly severity: 'warning' | 'error';
  readonly message: string;
  readonly range: Range;
  readonly args: Readonly<Record<string, string>>;
}

/** An expression while it is rewritten: what is known of it, and what was found so far. */
export interface Rewriting {
  /** The tree as it was parsed, without the conversions of open values. */
  readonly ast: Ast;
  readonly typed: TypedAst;
  readonly counterparts: Counterparts;
  readonly edits: TextEdit[];
  readonly losses: Loss[];
  /** By the id of a loop over cookies, whose cookies they are. */
  readonly cookieLoops: Map<number, 'request' | 'response'>;
}

/** Adds an edit, unless it changes nothing. */
export function replace({ ast, edits }: Rewriting, range: Range, newText: string): void {
  if (ast.source.slice(range.start, range.end) !== newText) edits.push({ range, newText });
}

/** Adds a warning. */
export function warn(rewriting: Rewriting, expr: { range: Range }, code: string, message: string): void {
  const { source } = rewriting.ast;
  const written = source.slice(expr.range.start, expr.range.end);
  rewriting.losses.push({ code, severity: 'warning', message, range: expr.range, args: { written } });
}

/** Adds an error: what stands there was left as it is. */
export function giveUp(rewriting: Rewriting, range: Range, code: string, message: string): void {
  const written = rewriting.ast.source.slice(range.start, range.end);
  rewriting.losses.push({ code, severity: 'error', message, range, args: { written } });
}

/** The path of selections from a declared variable: `req.Headers`. Without the dot of an absolute name. */
export function pathOf({ typed }: Rewriting, expr: Expr): string | undefined {
  return pathIn(typed, expr);
}

function pathIn(typed: TypedAst, expr: Expr): string | undefined {
  if (expr.kind === 'ident') {
    return typed.references[expr.id]?.kind === 'variable' ? expr.name.replace(/^\./, '') : undefined;
  }
  if (expr.kind !== 'select') return undefined;
  const operand = pathIn(typed, expr.operand);
  return operand === undefined ? undefined : `${operand}.${expr.field}`;
}

/** The value of a literal text. */
export function textOf(expr: Expr | undefined): string | undefined {
  return expr?.kind === 'literal' && expr.literal.type === 'string' ? expr.literal.value : undefined;
}

/** Writes another text in the place of a literal one, in the same quotes where that is possible. */
export function replaceText(rewriting: Rewriting, expr: Expr, value: string): void {
  const { source } = rewriting.ast;
  const old = textOf(expr) ?? '';
  const written = source.slice(expr.range.start, expr.range.end);
  const isVerbatim = old !== '' && written.split(old).length === 2 && !/[\\'"\n]/.test(value);
  const literal = { type: 'string', value } as const;
  const root = { kind: 'literal', id: 1, range: expr.range, literal } as const;
  const printed = unparse({ source: '', root, nextId: 2, macroCalls: new Map() });
  replace(rewriting, expr.range, isVerbatim ? written.replace(old, () => value) : printed);
}

/** Rewrites a call of which one operand is a certain variable; the others are then still to be visited. */
export type RewriteOperand = (rewriting: Rewriting, call: CallExpr, operand: Expr) => 'rewritten' | 'untouched';
