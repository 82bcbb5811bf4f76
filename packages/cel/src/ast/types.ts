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

/** Returns the type as the reference implementation prints it: `list(string)`, `map(string, list(int))`, `optional_type(int)`. */
export function formatType(type: Type): string {
  switch (type.kind) {
    case 'list':
      return `list(${formatType(type.element)})`;
    case 'map':
      return `map(${formatType(type.key)}, ${formatType(type.value)})`;
    case 'optional':
      return `optional_type(${formatType(type.value)})`;
    case 'wrapper':
      // The types of messages, timestamps, durations and optionals have null as a value anyway.
      return admitsNull(type.of) ? formatType(type.of) : `wrapper(${formatType(type.of)})`;
    case 'type':
      return type.of === undefined ? 'type' : `type(${formatType(type.of)})`;
    case 'object':
    case 'param':
      return type.name;
    case 'opaque':
      return type.params.length === 0 ? type.name : `${type.name}(${formatTypes(type.params)})`;
    case 'error':
      return '!error!';
    default:
      return type.kind;
  }
}

/** Returns types separated by commas. */
export function formatTypes(types: readonly Type[]): string {
  return types.map(formatType).join(', ');
}

/** Returns the direct parts of a type. */
export function partsOf(type: Type): readonly Type[] {
  switch (type.kind) {
    case 'list':
      return [type.element];
    case 'map':
      return [type.key, type.value];
    case 'optional':
      return [type.value];
    case 'type':
      return type.of === undefined ? [] : [type.of];
    case 'wrapper':
      return [type.of];
    case 'opaque':
      return type.params;
    default:
      return [];
  }
}

/** Returns a copy of the type with each part replaced; the type itself if no part changes. */
export function mapParts(type: Type, change: (part: Type) => Type): Type {
  switch (type.kind) {
    case 'list': {
      const element = change(type.element);
      return element === type.element ? type : listOf(element);
    }
    case 'map': {
      const key = change(type.key);
      const value = change(type.value);
      return key === type.key && value === type.value ? type : mapOf(key, value);
    }
    case 'optional': {
      const value = change(type.value);
      return value === type.value ? type : optionalOf(value);
    }
    case 'type': {
      const of = type.of && change(type.of);
      return of === type.of ? type : typeOf(of);
    }
    case 'wrapper': {
      const of = change(type.of);
      return of === type.of ? type : wrapperOf(of);
    }
    case 'opaque': {
      const params = type.params.map(change);
      return params.every((param, i) => param === type.params[i]) ? type : opaqueType(type.name, ...params);
    }
    default:
      return type;
  }
}

/** Returns true if two types have the same structure, so that their parts correspond. */
function sameStructure(a: Type, b: Type): boolean {
  if (a.kind === 'opaque') return b.kind === 'opaque' && a.name === b.name && a.params.length === b.params.length;
  if (a.kind === 'object') return b.kind === 'object' && a.name === b.name;
  return a.kind === b.kind;
}

/** Returns the names of the type parameters in a type, in order of appearance. */
export function paramNamesOf(type: Type, into: string[] = []): string[] {
  if (type.kind === 'param') {
    if (!into.includes(type.name)) into.push(type.name);
  } else {
    for (const part of partsOf(type)) paramNamesOf(part, into);
  }
  return into;
}

/** Returns true if the type is known only at run time, so that every value may be of it. */
export function isDynamic(type: Type): boolean {
  return type.kind === 'dyn' || type.kind === 'param' || type.kind === 'error';
}

/** Returns true if values of the type are tagged because the static type does not determine their kind. */
export function isOpen(type: Type): boolean {
  return type.kind === 'wrapper' || isDynamic(type);
}

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

/** Returns the type that also has null as a value. */
function nullable(type: Type): Type {
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
function admitsNull(type: Type): boolean {
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

/**
 * Returns true if the checker accepts a value of type `source` where `target` is expected. dyn and unbound type parameters are compatible
 * with everything, and a wrapper with its scalar and null.
 */
export function isAssignable(target: Type, source: Type): boolean {
  return assign(createBindings(), source, target);
}

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

/** A type that is not known yet: a `param` with an index in {@link Bindings}. */
export type TypeVariable = Extract<Type, { kind: 'param' }> & { readonly index: number };

/** The types bound to the type variables of one check. It grows, and can be reset to an earlier state. */
export interface Bindings {
  readonly types: (Type | undefined)[];
  /** Each change as variable index and previous value, so that a failed attempt can be undone. */
  readonly trail: [index: number, before: Type | undefined][];
}

export function createBindings(): Bindings {
  return { types: [], trail: [] };
}

export function freshVariable(bindings: Bindings): TypeVariable {
  const index = bindings.types.length;
  bindings.types.push(undefined);
  return { kind: 'param', name: `_var${index}`, index };
}

export function isVariable(type: Type): type is TypeVariable {
  return type.kind === 'param' && 'index' in type;
}

/** Undoes all changes since the trail had this length. */
export function undo(bindings: Bindings, trailLength: number): void {
  while (bindings.trail.length > trailLength) {
    const [index, before] = bindings.trail.pop()!;
    bindings.types[index] = before;
  }
}

/**
 * Returns true if a value of type `from` is acceptable where `to` is expected, or the other way round if one of them is dynamic: the
 * relation of the reference implementation, which is symmetric except for what it binds. Binds variables; the caller undoes that after a
 * failure.
 */
export function assign(bindings: Bindings, from: Type, to: Type): boolean {
  if (isVariable(to)) {
    const outcome = bind(bindings, to, from);
    if (outcome !== 'recursive') return outcome === 'bound';
  }
  if (isVariable(from)) return bind(bindings, from, to) === 'bound';
  if (isVariable(to)) return false;
  if (from.kind === 'dyn') return openParts(bindings, to);
  if (isDynamic(from) || isDynamic(to)) return true;
  if (from.kind === 'null') return isNullable(to);
  if (to.kind === 'null') return isNullable(from);
  if (from.kind === 'wrapper') return assign(bindings, from.of, to.kind === 'wrapper' ? to.of : to);
  if (to.kind === 'wrapper') return assign(bindings, from, to.of);
  if (from.kind === 'type') return to.kind === 'type' && assignNamed(bindings, from.of, to.of);
  return sameStructure(from, to) && assignParts(bindings, from, to);
}

/**
 * If a dynamic value is passed for a list of A, its elements may be anything, so A is dyn. The reference implementation keeps the earlier
 * binding of A, so that `["a"] + dyn([1])` is a list of strings.
 */
function openParts(bindings: Bindings, to: Type): true {
  for (const part of partsOf(to)) assign(bindings, DYN, part);
  return true;
}

/** Passing `int` for a parameter `type(T)` binds T to int. Any two type values can be compared. */
function assignNamed(bindings: Bindings, from: Type | undefined, to: Type | undefined): boolean {
  return to === undefined || !isVariable(to) || assign(bindings, from ?? DYN, to);
}

function assignParts(bindings: Bindings, from: Type, to: Type): boolean {
  switch (from.kind) {
    case 'list':
      return assign(bindings, from.element, (to as typeof from).element);
    case 'map':
      return (
        assign(bindings, from.key, (to as typeof from).key) && assign(bindings, from.value, (to as typeof from).value)
      );
    case 'optional':
      return assign(bindings, from.value, (to as typeof from).value);
    case 'opaque':
      return from.params.every((param, i) => assign(bindings, param, (to as typeof from).params[i]!));
    default:
      return true;
  }
}

function isNullable(type: Type): boolean {
  return type.kind === 'null' || type.kind === 'wrapper' || admitsNull(type);
}

/** `recursive`: the variable is unbound but occurs in the type. */
function bind(bindings: Bindings, variable: TypeVariable, type: Type): 'bound' | 'clash' | 'recursive' {
  if (isVariable(type) && type.index === variable.index) return 'bound';
  const bound = bindings.types[variable.index];
  if (bound === undefined) {
    if (occursIn(bindings, variable, type)) return 'recursive';
    setBinding(bindings, variable, type);
    return 'bound';
  }
  if (bound === type) return 'bound';
  const areTypeValues = type.kind === 'type' && bound.kind === 'type';
  if (!areTypeValues && !assign(bindings, type, bound)) return 'clash';
  const general = generalize(type, bound);
  if (general !== bound && !occursIn(bindings, variable, general)) setBinding(bindings, variable, general);
  return 'bound';
}

function setBinding(bindings: Bindings, variable: TypeVariable, type: Type): void {
  bindings.trail.push([variable.index, bindings.types[variable.index]]);
  bindings.types[variable.index] = type;
}

function occursIn(bindings: Bindings, variable: TypeVariable, type: Type): boolean {
  if (isVariable(type)) {
    if (type.index === variable.index) return true;
    const bound = bindings.types[type.index];
    return bound !== undefined && occursIn(bindings, variable, bound);
  }
  return partsOf(type).some(part => occursIn(bindings, variable, part));
}

/** Returns the type with bound variables replaced and unbound ones kept. */
export function resolve(bindings: Bindings, type: Type): Type {
  if (isVariable(type)) {
    const bound = bindings.types[type.index];
    return bound === undefined ? type : resolve(bindings, bound);
  }
  return mapParts(type, part => resolve(bindings, part));
}

/** Returns the type with all variables replaced, unbound ones by dyn. */
export function resolveFinally(bindings: Bindings, type: Type): Type {
  if (type.kind === 'param') {
    const bound = isVariable(type) ? bindings.types[type.index] : undefined;
    return bound === undefined ? DYN : resolveFinally(bindings, bound);
  }
  return mapParts(type, part => resolveFinally(bindings, part));
}
