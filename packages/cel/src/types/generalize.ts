import { typesEqual } from './equality.ts';
import { nonNull, nullable } from './nullable.ts';
import { mapParts, partsOf, sameStructure } from './structure.ts';
import { DYN, type Type } from './type.ts';

/**
 * Returns the most specific type that includes both types, which must be assignable to each other. Where the reference implementation keeps
 * one of them, this joins part by part, so that `map(int, dyn)` and `map(dyn, int)` become `map(dyn, dyn)`, and null and `duration` become
 * `wrapper(duration)`.
 */
export function generalize(a: Type, b: Type): Type {
  if (a === b || a.kind === 'dyn' || b.kind === 'error') return a;
  if (b.kind === 'dyn' || a.kind === 'error') return b;
  if (a.kind === 'param') return a;
  if (b.kind === 'param') return b;
  if (a.kind === 'null') return nullable(b);
  if (b.kind === 'null') return nullable(a);
  if (a.kind === 'wrapper' || b.kind === 'wrapper') return nullable(generalize(nonNull(a), nonNull(b)));
  if (!sameStructure(a, b)) return DYN;
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
