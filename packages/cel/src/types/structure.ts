import { listOf, mapOf, opaqueType, optionalOf, type Type, typeOf, wrapperOf } from './type.ts';

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
export function sameStructure(a: Type, b: Type): boolean {
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
