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

export type ScalarKind = 'null' | 'bool' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'timestamp' | 'duration';

export const DYN: Type = { kind: 'dyn' };
export const ERROR_TYPE: Type = { kind: 'error' };
export const NULL: Type = { kind: 'null' };
export const BOOL: Type = { kind: 'bool' };
export const INT: Type = { kind: 'int' };
export const UINT: Type = { kind: 'uint' };
export const DOUBLE: Type = { kind: 'double' };
export const STRING: Type = { kind: 'string' };
export const BYTES: Type = { kind: 'bytes' };
export const TIMESTAMP: Type = { kind: 'timestamp' };
export const DURATION: Type = { kind: 'duration' };

export function listOf(element: Type): Type {
  return { kind: 'list', element };
}

export function mapOf(key: Type, value: Type): Type {
  return { kind: 'map', key, value };
}

export function optionalOf(value: Type): Type {
  return { kind: 'optional', value };
}

export function typeOf(of: Type | undefined): Type {
  return { kind: 'type', of };
}

export function wrapperOf(of: Type): Type {
  return { kind: 'wrapper', of };
}

export function paramType(name: string): Type {
  return { kind: 'param', name };
}

export function objectType(name: string): Type {
  return { kind: 'object', name };
}

export function opaqueType(name: string, ...params: readonly Type[]): Type {
  return { kind: 'opaque', name, params };
}
