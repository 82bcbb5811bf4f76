import type { Expr, TypedAst } from '@tollgate/cel';
import { childrenOf, inlineBodies } from '@tollgate/cel/tooling';
import type { ReaderContext } from './reader-context.ts';

/** A part of an expression without calls of functions with bodies. */
interface InlinedPart {
  readonly reader: ReaderContext;
  readonly expr: Expr;
}

/**
 * Replaces calls in a part of an expression by function bodies. The part must be outside of loops. Copies the tables of the whole
 * expression, so parts without such calls are returned as they are.
 */
export function inlinedPart(reader: ReaderContext, expr: Expr): InlinedPart {
  if (!callsBody(reader.typed, expr)) return { reader: { ...reader, isInlined: true }, expr };
  const { ast } = reader.typed;
  const typed = inlineBodies({ ...reader.typed, ast: { ...ast, root: expr } }, reader.environment);
  // Other parts reuse the same scopes for other names.
  return { reader: { ...reader, typed, bindings: new Map(), isInlined: true }, expr: typed.ast.root };
}

/** Returns true if the expression, or one that contains it, may call a function with a body. */
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
