import { typesEqual } from './equality.ts';
import { mapParts, partsOf, sameShape } from './structure.ts';
import { DYN, type Type } from './type.ts';

/**
 * The least type that holds the values of both, for types that are assignable to each other. Where the reference
 * implementation keeps the first or the second whole, this joins part by part, so that `map(int, dyn)` and `map(dyn, int)`
 * give `map(dyn, dyn)`.
 */
export function generalize(a: Type, b: Type): Type {
  if (a === b || a.kind === 'dyn' || b.kind === 'error') return a;
  if (b.kind === 'dyn' || a.kind === 'error') return b;
  if (a.kind === 'param') return a;
  if (b.kind === 'param') return b;
  // A null has joined a type that has null among its values.
  if (a.kind === 'null') return b;
  if (b.kind === 'null') return a;
  if (a.kind === 'wrapper') return a;
  if (b.kind === 'wrapper') return b;
  if (!sameShape(a, b)) return DYN;
  return typesEqual(a, b) ? a : joinParts(a, b);
}

function joinParts(a: Type, b: Type): Type {
  const others = partsOf(b);
  let position = 0;
  return mapParts(a, part => {
    const other = others[position++];
    return other === undefined ? part : generalize(part, other);
  });
}
