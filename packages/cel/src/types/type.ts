/** A CEL type: plain data, compared by structure. */
export type Type =
  | { readonly kind: 'dyn' }
  /** The type of a node with an error. Assignable to and from everything, which suppresses consequential errors. */
  | { readonly kind: 'error' }
  | { readonly kind: ScalarKind }
  | { readonly kind: 'list'; readonly element: Type }
  | { readonly kind: 'map'; readonly key: Type; readonly value: Type }
  | { readonly kind: 'optional'; readonly value: Type }
  /** The type of a type value: `type(1)` is a `type(int)`. */
  | { readonly kind: 'type'; readonly of: Type | undefined }
  /** A value of a type that is not dynamic, or null: a protobuf wrapper, or the join of null with a message, timestamp and the like. */
  | { readonly kind: 'wrapper'; readonly of: Type }
  /** A type parameter of an overload, or a type variable. */
  | { readonly kind: 'param'; readonly name: string }
  /** A type with declared fields, which the environment lists under `name`. */
  | { readonly kind: 'object'; readonly name: string }
  /** A type of an extension library, such as `net.IP`, known only by name and parameters. */
  | { readonly kind: 'opaque'; readonly name: string; readonly params: readonly Type[] };

/** The types of CEL values without parameters. */
type ScalarKind = 'null' | 'bool' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'timestamp' | 'duration';

/** Any type, known only at run time. */
export const DYN: Type = { kind: 'dyn' };
/** The type of a node with an error. */
export const ERROR_TYPE: Type = { kind: 'error' };
/** The type of `null`. */
export const NULL: Type = { kind: 'null' };
/** Booleans. */
export const BOOL: Type = { kind: 'bool' };
/** 64-bit signed integers. */
export const INT: Type = { kind: 'int' };
/** 64-bit unsigned integers. */
export const UINT: Type = { kind: 'uint' };
/** 64-bit floating-point numbers. */
export const DOUBLE: Type = { kind: 'double' };
/** Sequences of Unicode code points. */
export const STRING: Type = { kind: 'string' };
/** Sequences of octets. */
export const BYTES: Type = { kind: 'bytes' };
/** Points in time with nanosecond precision. */
export const TIMESTAMP: Type = { kind: 'timestamp' };
/** Durations with nanosecond precision. */
export const DURATION: Type = { kind: 'duration' };

/** Lists of `element`s. */
export function listOf(element: Type): Type {
  return { kind: 'list', element };
}

/** Maps from `key`s to `value`s. */
export function mapOf(key: Type, value: Type): Type {
  return { kind: 'map', key, value };
}

/** A `value` that may be missing. */
export function optionalOf(value: Type): Type {
  return { kind: 'optional', value };
}

/** Returns the type of the type value `of`, or of any type value. */
export function typeOf(of: Type | undefined): Type {
  return { kind: 'type', of };
}

/** A value of type `of`, or null. */
export function wrapperOf(of: Type): Type {
  return { kind: 'wrapper', of };
}

/** A type parameter of an overload. */
export function paramType(name: string): Type {
  return { kind: 'param', name };
}

/** Returns the object type that the environment declares under `name`. */
export function objectType(name: string): Type {
  return { kind: 'object', name };
}

/** Returns a library's own type, known only by name and parameters. */
export function opaqueType(name: string, ...params: readonly Type[]): Type {
  return { kind: 'opaque', name, params };
}
