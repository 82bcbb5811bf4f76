import { type Type, wrapperOf } from './type.ts';

/** Returns the type that also has null as a value. */
export function nullable(type: Type): Type {
  return type.kind === 'null' || type.kind === 'wrapper' || type.kind === 'dyn' ? type : wrapperOf(type);
}

/** Returns the type without null. */
export function nonNull(type: Type): Type {
  return type.kind === 'wrapper' ? type.of : type;
}

/**
 * Returns true if the checker, like the reference implementation, accepts the constant null for an argument of the type. The call then fails
 * at run time. A value that may be null has a `wrapper` type.
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
