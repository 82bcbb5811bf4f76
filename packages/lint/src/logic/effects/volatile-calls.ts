import type { Profile } from '@tollgate/catalog';
import type { Expr, TypedAst } from '@tollgate/cel';
import { childrenOf } from '@tollgate/cel/tooling';
import { written } from '../../expressions/source-nodes.ts';

/** Whether a part of an expression calls one of the overloads that may give something else each time. */
export function isVolatile(typed: TypedAst, node: Expr, volatile: readonly string[]): boolean {
  if (volatile.length === 0) return false;
  const own = written(typed.ast, node);
  const reference = typed.references[own.id];
  const isOwn = reference?.kind === 'function' && reference.overloads.some(({ id }) => volatile.includes(id));
  return isOwn || childrenOf(own).some(child => isVolatile(typed, child, volatile));
}

/** Overloads of which two calls may give two results: what depends on chance, or what a user implemented. */
export function volatileOverloads({ functions }: Profile): readonly string[] {
  return functions.flatMap(fact =>
    fact.opaque !== undefined || fact.implementation !== undefined ? [fact.overloadId] : [],
  );
}
