import type { Expr } from '../ast/ast.ts';
import { childrenOf } from '../ast/map-children.ts';
import type { TypedAst } from '../ast/typed-ast.ts';
import { fieldPathOf, readsOf } from './reads.ts';

/**
 * Returns the paths of the fields that an expression reads, such as `a.b.c`, in no order and without keys and indices. Unlike {@link
 * readsOf}, it may list a part as well as the whole that contains it; it is much faster on expressions without loops.
 */
export function fieldPathsOf(typed: TypedAst): ReadonlySet<string> {
  const found = new Set<string>();
  return collect(typed, typed.ast.root, found) ? found : new Set(readsOf(typed).map(fieldPathOf));
}

/** Returns false if local names or optional fields require the full analysis. */
function collect(typed: TypedAst, expr: Expr, found: Set<string>): boolean {
  if (expr.kind === 'comprehension' || (expr.kind === 'call' && expr.function === '_?._')) return false;
  const path = inputPathOf(typed, expr);
  if (path !== undefined) {
    found.add(path);
    return true;
  }
  // The target of `math.least(…)` is part of the function's name.
  const isNamespaced = expr.kind === 'call' && expr.target !== undefined && typed.types[expr.target.id] === undefined;
  const children = isNamespaced ? expr.args : childrenOf(expr);
  return children.every(child => collect(typed, child, found));
}

/** A selection of a field, or a presence test of one. */
export type Selection = Extract<Expr, { readonly kind: 'select' }>;

/** Decides how {@link inputPathOf} reads an expression. */
export interface PathOptions {
  /** Returns true if a selection continues a path. By default, selections from anything but maps do, presence tests included. */
  readonly isField?: (selection: Selection, typed: TypedAst) => boolean;
  /** Returns the expression that a local name stands for. */
  readonly resolve?: ((name: Expr) => Expr | undefined) | undefined;
}

/** Returns the path of the input that an expression is, such as `req.URL`; undefined for all other expressions. */
export function inputPathOf(typed: TypedAst, expr: Expr, options: PathOptions = DEFAULTS): string | undefined {
  const reference = typed.references[expr.id];
  if (reference?.kind === 'variable') return reference.name;
  if (expr.kind === 'ident') {
    const target = options.resolve?.(expr);
    return target && inputPathOf(typed, target, options);
  }
  if (expr.kind !== 'select' || !(options.isField ?? isFieldOutsideMaps)(expr, typed)) return undefined;
  const operand = inputPathOf(typed, expr.operand, options);
  return operand === undefined ? undefined : `${operand}.${expr.field}`;
}

const DEFAULTS: PathOptions = {};

function isFieldOutsideMaps({ operand }: Selection, { types }: TypedAst): boolean {
  const type = types[operand.id];
  return type?.kind !== 'map' && (type?.kind !== 'optional' || type.value.kind !== 'map');
}
