import type { Profile } from '@tollgate/catalog';
import { childrenOf, type Expr, type TypedAst } from '@tollgate/cel';
import { written } from '../facts/written-nodes.ts';

/** Whether a part of an expression calls a function that may give something else each time. */
export function isVolatile(typed: TypedAst, node: Expr, profile: Profile): boolean {
  const own = written(typed.ast, node);
  const reference = typed.references[own.id];
  const isOwn =
    reference?.kind === 'function' && reference.overloads.some(({ id }) => volatileOverloads(profile).includes(id));
  return isOwn || childrenOf(own).some(child => isVolatile(typed, child, profile));
}

/** Overloads of which two calls may give two results: what depends on chance, or what a user implemented. */
export function volatileOverloads({ functions }: Profile): readonly string[] {
  return functions.flatMap(fact =>
    fact.opaque !== undefined || fact.implementation !== undefined ? [fact.overloadId] : [],
  );
}
