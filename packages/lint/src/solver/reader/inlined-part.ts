import type { Expr, TypedAst } from '@tollgate/cel';
import { childrenOf, inlineBodies } from '@tollgate/cel/tooling';
import type { ReaderContext } from './reader-context.ts';

/** A part of an expression in which no function with a body is called any more. */
export interface InlinedPart {
  readonly reader: ReaderContext;
  readonly expr: Expr;
}

/**
 * A part of an expression that stands outside of loops, with calls of functions replaced by their bodies. Only parts that have
 * such calls pay for that: it copies the tables of the whole expression.
 */
export function inlinedPart(reader: ReaderContext, expr: Expr): InlinedPart {
  if (!callsBody(reader.typed, expr)) return { reader: { ...reader, isInlined: true }, expr };
  const { ast } = reader.typed;
  const typed = inlineBodies({ ...reader.typed, ast: { ...ast, root: expr } }, reader.environment);
  // Other parts get new names by the same numbers.
  return { reader: { ...reader, typed, bindings: new Map(), isInlined: true }, expr: typed.ast.root };
}

/** Whether an expression, or one that it is a part of, may call a function with a body. */
export function mayCallBody({ references }: TypedAst): boolean {
  return references.some(isCallOfBody);
}

function callsBody(typed: TypedAst, expr: Expr): boolean {
  if (expr.kind === 'literal' || expr.kind === 'ident') return false;
  return isCallOfBody(typed.references[expr.id]) || childrenOf(expr).some(child => callsBody(typed, child));
}

function isCallOfBody(reference: TypedAst['references'][number]): boolean {
  return reference?.kind === 'function' && reference.overloads.some(overload => overload.body !== undefined);
}
