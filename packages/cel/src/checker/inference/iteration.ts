import type { ComprehensionExpr } from '../../ast/ast.ts';
import { INT, type Type } from '../../types/type.ts';
import { type CheckContext, declareLocal } from '../context/check-context.ts';

/** Declares the iteration variables for a range of this type. The caller restores the previous scope. */
export function declareIterationVariables(c: CheckContext, expr: ComprehensionExpr, range: Type): void {
  if (expr.iterVar2 === undefined) {
    declareLocal(c, expr.iterVar, onlyType(range), expr.id);
    return;
  }
  const [first, second] = pairTypes(range);
  declareLocal(c, expr.iterVar, first, expr.id);
  declareLocal(c, expr.iterVar2, second, expr.id);
}

/** Returns the type of the elements of a list, or of the keys of a map. */
function onlyType(range: Type): Type {
  return range.kind === 'list' ? range.element : range.kind === 'map' ? range.key : range;
}

/** Returns the types of index and element of a list, or of key and value of a map. */
function pairTypes(range: Type): [first: Type, second: Type] {
  if (range.kind === 'list') return [INT, range.element];
  return range.kind === 'map' ? [range.key, range.value] : [range, range];
}
