import {
  type CallExpr,
  type ComprehensionExpr,
  type Expr,
  mapChildren,
  type Reference,
  type TypedAst,
} from '../ast/ast.ts';
import type { Type } from '../ast/types.ts';
import { foldShapeOf } from './loops.ts';

/** Longer lists are left as loops, because code grows with their elements. */
const MAX_ELEMENTS = 64;

/**
 * Returns the tree with `all` and `exists` over lists of literals replaced by `&&` and `||`, which the macros are defined by, so that calls of an
 * element are constant: `cidr(range)` is then parsed once, not for each evaluation. Nodes of the new operands have new ids.
 */
export function unrollLists(typed: TypedAst): TypedAst {
  const unrolling: Unrolling = {
    typed,
    nextId: typed.ast.nextId,
    types: [...typed.types],
    references: [...typed.references],
    lists: new Map(),
  };
  const root = unroll(unrolling, typed.ast.root);
  if (root === typed.ast.root) return typed;
  const { nextId, types, references } = unrolling;
  return { ...typed, ast: { ...typed.ast, root, nextId }, types, references };
}

interface Unrolling {
  readonly typed: TypedAst;
  nextId: number;
  readonly types: (Type | undefined)[];
  readonly references: (Reference | undefined)[];
  /** Literals in lists that are bound to names, by name. */
  readonly lists: Map<string, readonly Expr[]>;
}

function unroll(unrolling: Unrolling, expr: Expr): Expr {
  if (expr.kind !== 'comprehension') return mapChildren(expr, child => unroll(unrolling, child));
  return (
    unrolledBinding(unrolling, expr) ??
    unrolledLoop(unrolling, expr) ??
    mapChildren(expr, child => unroll(unrolling, child))
  );
}

/** Arguments of functions with a body are bound to names of their own; undefined for anything but a list of literals that is only looped over. */
function unrolledBinding(unrolling: Unrolling, expr: ComprehensionExpr): Expr | undefined {
  const literals = literalsIn(expr.accuInit);
  if (literals === undefined || !expr.accuVar.startsWith('@') || foldShapeOf(expr).kind !== 'bind') return undefined;
  unrolling.lists.set(expr.accuVar, literals);
  const result = unroll(unrolling, expr.result);
  unrolling.lists.delete(expr.accuVar);
  return mentions(result, expr.accuVar) ? undefined : result;
}

function literalsIn(expr: Expr): readonly Expr[] | undefined {
  if (expr.kind !== 'list' || expr.optionalIndices.length > 0) return undefined;
  const { elements } = expr;
  return elements.length <= MAX_ELEMENTS && elements.every(({ kind }) => kind === 'literal') ? elements : undefined;
}

function mentions(expr: Expr, name: string): boolean {
  if (expr.kind === 'ident') return expr.name === name;
  let found = false;
  mapChildren(expr, child => {
    found ||= mentions(child, name);
    return child;
  });
  return found;
}

function unrolledLoop(unrolling: Unrolling, expr: ComprehensionExpr): Expr | undefined {
  const { iterRange, iterVar, iterVar2, loopStep, accuInit } = expr;
  const shape = foldShapeOf(expr);
  if (iterVar2 !== undefined || (shape.kind !== 'all' && shape.kind !== 'exists')) return undefined;
  const literals = iterRange.kind === 'ident' ? unrolling.lists.get(iterRange.name) : literalsIn(iterRange);
  // Copies of an inner loop would share its scope.
  if (literals === undefined || hasComprehension(shape.predicate)) return undefined;
  const operands = literals.map(literal => instance(unrolling, shape.predicate, { iterVar, literal }));
  return operands.length === 0 ? accuInit : joined(unrolling, operands, loopStep as CallExpr);
}

function hasComprehension(expr: Expr): boolean {
  let found = expr.kind === 'comprehension';
  mapChildren(expr, child => {
    found ||= hasComprehension(child);
    return child;
  });
  return found;
}

function instance(
  unrolling: Unrolling,
  expr: Expr,
  element: { readonly iterVar: string; readonly literal: Expr },
): Expr {
  const isElement = expr.kind === 'ident' && expr.name === element.iterVar;
  if (isElement) return withFactsOf(unrolling, expr, element.literal);
  return withFactsOf(
    unrolling,
    expr,
    mapChildren(expr, child => instance(unrolling, child, element)),
  );
}

/** Returns a node under a new id, with the type and reference of another. A literal has no reference. */
function withFactsOf(unrolling: Unrolling, { id }: Expr, expr: Expr): Expr {
  const copy = { ...expr, id: unrolling.nextId++ };
  unrolling.types[copy.id] = unrolling.types[id];
  unrolling.references[copy.id] = expr.kind === 'literal' ? undefined : unrolling.references[id];
  return copy;
}

/** Balanced, so that depth grows with the logarithm of the number of operands. */
function joined(unrolling: Unrolling, operands: readonly Expr[], step: CallExpr): Expr {
  if (operands.length === 1) return operands[0]!;
  const middle = operands.length >> 1;
  const args = [operands.slice(0, middle), operands.slice(middle)].map(part => joined(unrolling, part, step));
  return withFactsOf(unrolling, step, { ...step, args });
}
