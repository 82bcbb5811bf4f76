import type { Type } from './type.ts';

/**
 * Whether null may stand where a value of the type is expected and leave no trace in the static type: the checker joins the two, as the
 * reference implementation does. What takes such a value has to look for null.
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
