/** A CEL type. Plain data: two types are the same when they are structurally equal. */
export type Type =
  | { readonly kind: 'dyn' }
  /** Of a node that a diagnostic was given for; assignable to and from everything, so that nothing merely following is reported. */
  | { readonly kind: 'error' }
  | { readonly kind: ScalarKind }
  | { readonly kind: 'list'; readonly element: Type }
  | { readonly kind: 'map'; readonly key: Type; readonly value: Type }
  | { readonly kind: 'optional'; readonly value: Type }
  /** The type of a type value: `type(1)` is a `type(int)`. */
  | { readonly kind: 'type'; readonly of: Type | undefined }
  /** A nullable scalar: `wrapper(int)` holds an int or null. */
  | { readonly kind: 'wrapper'; readonly of: Type }
  /** A type parameter of an overload, or one not yet bound. */
  | { readonly kind: 'param'; readonly name: string }
  /** A type with declared fields; the environment holds them under `name`. */
  | { readonly kind: 'object'; readonly name: string }
  /** A type of an extension library, such as `net.IP`, known by name and parameters only. */
  | { readonly kind: 'opaque'; readonly name: string; readonly params: readonly Type[] };

/** The types without parameters that values of the language have. */
export type ScalarKind = 'null' | 'bool' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'timestamp' | 'duration';

/** Any type, decided when the value is there. */
export const DYN: Type = { kind: 'dyn' };
/** The type of what a diagnostic was given for. */
export const ERROR_TYPE: Type = { kind: 'error' };
/** The type of `null`. */
export const NULL: Type = { kind: 'null' };
/** Truth values. */
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
/** Moments, to the nanosecond. */
export const TIMESTAMP: Type = { kind: 'timestamp' };
/** Spans of time, to the nanosecond. */
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

/** The type of the type value `of`; of any type value when undefined. */
export function typeOf(of: Type | undefined): Type {
  return { kind: 'type', of };
}

/** The scalar `of`, or null. */
export function wrapperOf(of: Type): Type {
  return { kind: 'wrapper', of };
}

/** A type parameter of an overload. */
export function paramType(name: string): Type {
  return { kind: 'param', name };
}

/** The type with declared fields that the environment holds under `name`. */
export function objectType(name: string): Type {
  return { kind: 'object', name };
}

/** A library's own type, known by name and parameters only. */
export function opaqueType(name: string, ...params: readonly Type[]): Type {
  return { kind: 'opaque', name, params };
}
