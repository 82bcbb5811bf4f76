import type { Type } from './type.ts';

/**
 * Returns true if the checker, like the reference implementation, accepts null for a value of the type without recording it in the static
 * type. Code that takes such a value must test for null.
 */
export function admitsNull(type: Type): boolean {
  switch (type.kind) {
    case 'object':
    case 'opaque':
    case 'optional':
    case 'timestamp':
    case 'duration':
      return true;
    default:
      return false;
  }
}
