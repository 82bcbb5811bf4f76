import { generalize } from './generalize.ts';
import { admitsNull } from './nullable.ts';
import { isDynamic, mapParts, partsOf, sameStructure } from './structure.ts';
import { DYN, type Type } from './type.ts';

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
