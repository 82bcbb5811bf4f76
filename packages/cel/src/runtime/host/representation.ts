import type { Integer } from '../../ast/ast.ts';
import { isDynamic } from '../../types/structure.ts';
import type { Type } from '../../types/type.ts';
import { NO_MATCHING_OVERLOAD } from '../../values/errors.ts';
import { kindOf, runtimeTypeOf } from '../../values/runtime-type.ts';
import {
  CelDouble,
  CelMap,
  CelUint,
  type EvaluationError,
  NonValue,
  type Optional,
  type Value,
} from '../../values/value.ts';
import { fromHost } from './from-host.ts';
import { boxDouble, boxUint } from './host.ts';
import { keysOf, lookUp, type MapValue, mapKeyOf, putEntry } from './map.ts';

/** Converts a value from the typed to the tagged representation. */
export type Tagger = (value: Value) => Value;

/** Returns how to tag values of a static type; undefined if both representations are the same. Lists and maps are copied. */
export function toTagged(type: Type): Tagger | undefined {
  switch (type.kind) {
    case 'double':
      return tagDouble;
    case 'uint':
      return tagUint;
    case 'list':
      return listTagger(toTagged(type.element));
    case 'map':
      return mapTagger(toTagged(type.key), toTagged(type.value));
    default:
      return undefined;
  }
}

/** An element may already be tagged. */
function tagDouble(value: Value): Value {
  return typeof value === 'number' ? boxDouble(value) : value;
}

function tagUint(value: Value): Value {
  return typeof value === 'number' || typeof value === 'bigint' ? boxUint(value as Integer) : value;
}

function listTagger(tag: Tagger | undefined): Tagger | undefined {
  return tag && (list => (list as readonly Value[]).map(tag));
}

function mapTagger(tagKey: Tagger | undefined, tagValue: Tagger | undefined): Tagger | undefined {
  if (tagKey === undefined && tagValue === undefined) return undefined;
  return map => {
    const tagged = new CelMap();
    for (const key of keysOf(map as MapValue)) {
      const value = lookUp(map as MapValue, mapKeyOf(key)!) as Value;
      putEntry(tagged, tagKey ? tagKey(key) : key, tagValue ? tagValue(value) : value);
    }
    return tagged;
  };
}

/** Converts a tagged value to the typed representation, or returns an error if it is of another type. */
export type Untagger = (value: Value) => Value | EvaluationError;

/** Returns how to convert a tagged value to a static type; undefined if every value is one as it is. */
export function toTyped(type: Type): Untagger | undefined {
  switch (type.kind) {
    case 'dyn':
    case 'error':
    case 'param':
      return undefined;
    case 'double':
      return untagDouble;
    case 'uint':
      return value => (value instanceof CelUint ? value.value : NO_MATCHING_OVERLOAD);
    default:
      return value => (matchesType(value, type) ? value : NO_MATCHING_OVERLOAD);
  }
}

function untagDouble(value: Value): Value | EvaluationError {
  if (value instanceof CelDouble) return value.value;
  return kindOf(value) === 'double' ? value : NO_MATCHING_OVERLOAD;
}

/** Returns true if a tagged value is of a static type. Checks elements in linear time if the type restricts them. */
export function matchesType(value: Value, type: Type): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'error':
    case 'param':
      return true;
    case 'wrapper':
      return value === null || matchesType(value, type.of);
    case 'list':
      return kindOf(value) === 'list' && everyMatches(value as readonly Value[], type.element);
    case 'map':
      return kindOf(value) === 'map' && mapMatches(value as MapValue, type.key, type.value);
    case 'optional':
      return kindOf(value) === 'optional' && optionalMatches(value as Optional, type.value);
    case 'object':
      return kindOf(value) === 'map' && !(value instanceof Map);
    case 'opaque':
      return runtimeTypeOf(value).name === type.name;
    default:
      return kindOf(value) === type.kind;
  }
}

function everyMatches(values: readonly unknown[], type: Type): boolean {
  return isDynamic(type) || values.every(value => elementMatches(value, type));
}

function mapMatches(map: MapValue, keyType: Type, valueType: Type): boolean {
  if (isDynamic(keyType) && isDynamic(valueType)) return true;
  return keysOf(map).every(key => matchesType(key, keyType) && elementMatches(lookUp(map, mapKeyOf(key)!), valueType));
}

function optionalMatches(optional: Optional, type: Type): boolean {
  return optional.value === undefined || matchesType(optional.value, type);
}

/** Elements that are errors or unknown may be of any type; reading them decides. */
function elementMatches(element: unknown, type: Type): boolean {
  const value = fromHost(element);
  return value instanceof NonValue || matchesType(value, type);
}
