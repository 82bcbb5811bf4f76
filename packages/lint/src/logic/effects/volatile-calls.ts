import type { Profile } from '@tollgate/catalog';
import type { Expr, TypedAst } from '@tollgate/cel';
import { childrenOf } from '@tollgate/cel/tooling';
import { asWritten } from '../../expressions/source-nodes.ts';

/** Returns true if a part of an expression calls one of the volatile overloads. */
export function isVolatile(typed: TypedAst, node: Expr, volatile: readonly string[]): boolean {
  if (volatile.length === 0) return false;
  const own = asWritten(typed.ast, node);
  const reference = typed.references[own.id];
  const isOwn = reference?.kind === 'function' && reference.overloads.some(({ id }) => volatile.includes(id));
  return isOwn || childrenOf(own).some(child => isVolatile(typed, child, volatile));
}

/** Returns the overloads whose results may differ between two calls: random ones and those that users implement. */
export function volatileOverloads({ functions }: Profile): readonly string[] {
  return functions.flatMap(fact =>
    fact.opaque !== undefined || fact.implementation !== undefined ? [fact.overloadId] : [],
  );
}
