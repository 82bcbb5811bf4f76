import type { Type } from './type.ts';

/** Returns true if two types are structurally equal. */
export function typesEqual(a: Type, b: Type): boolean {
  if (a === b) return true;
  switch (a.kind) {
    case 'list':
      return b.kind === 'list' && typesEqual(a.element, b.element);
    case 'map':
      return b.kind === 'map' && typesEqual(a.key, b.key) && typesEqual(a.value, b.value);
    case 'optional':
      return b.kind === 'optional' && typesEqual(a.value, b.value);
    case 'wrapper':
      return b.kind === 'wrapper' && typesEqual(a.of, b.of);
    case 'type':
      return b.kind === 'type' && (a.of === undefined || b.of === undefined ? a.of === b.of : typesEqual(a.of, b.of));
    case 'object':
    case 'param':
      return b.kind === a.kind && b.name === a.name;
    case 'opaque':
      return b.kind === 'opaque' && b.name === a.name && allEqual(a.params, b.params);
    default:
      return a.kind === b.kind;
  }
}

function allEqual(a: readonly Type[], b: readonly Type[]): boolean {
  return a.length === b.length && a.every((type, i) => typesEqual(type, b[i]!));
}
