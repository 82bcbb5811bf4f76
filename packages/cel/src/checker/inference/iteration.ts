import type { ComprehensionExpr } from '../../ast/ast.ts';
import { INT, type Type } from '../../types/type.ts';
import { type Checking, declareLocal } from '../context/checking.ts';

/** Brings the variables that go through a range of this type into scope; the caller puts the former scope back. */
export function declareIterationVariables(c: Checking, expr: ComprehensionExpr, range: Type): void {
  if (expr.iterVar2 === undefined) {
    declareLocal(c, expr.iterVar, onlyType(range), expr.id);
    return;
  }
  const [first, second] = pairTypes(range);
  declareLocal(c, expr.iterVar, first, expr.id);
  declareLocal(c, expr.iterVar2, second, expr.id);
}

/** Elements of a list, keys of a map. */
function onlyType(range: Type): Type {
  return range.kind === 'list' ? range.element : range.kind === 'map' ? range.key : range;
}

/** Index and element of a list, key and value of a map. */
function pairTypes(range: Type): [first: Type, second: Type] {
  if (range.kind === 'list') return [INT, range.element];
  return range.kind === 'map' ? [range.key, range.value] : [range, range];
}
