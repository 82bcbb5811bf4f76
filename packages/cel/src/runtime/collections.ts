// Lists, sets, maps and optionals of a run: reading, joining, sorting and membership.

import type { Integer } from '../ast/ast.ts';
import {
  COLLECTION_TOO_LARGE,
  DIFFERENT_LENGTHS,
  HOST_TYPE,
  INDEX_OUT_OF_RANGE,
  INVALID_LIST_RANGE,
  NEGATIVE_COUNT,
  NO_MATCHING_OVERLOAD,
  NO_VALUE,
  OUT_OF_STEPS,
} from '../values/errors.ts';
import { compareBytes, compareStrings, compareTimes } from '../values/numbers.ts';
import {
  CelMap,
  type Duration,
  type EvaluationError,
  kindOf,
  NonValue,
  Optional,
  type RuntimeKind,
  type Timestamp,
  type Value,
} from '../values/value.ts';
import { type RunContext, stepsOf } from './context.ts';
import { equals, numberIn, sameValue, ValueSet } from './equality.ts';
import {
  fromHost,
  type HostReader,
  indexMap,
  inMap,
  type MapValue,
  mapKeyOf,
  putEntry,
  readUint,
  sizeOfMap,
} from './host.ts';
import { optionalMember, putEntries } from './host-access.ts';

/** `_[_]` of tagged values with dynamic types. Any integral number is a valid list index, including a uint or double. */
export function indexValue(container: Value, key: Value): Value | NonValue {
  const kind = kindOf(container);
  if (kind === 'map') return indexMap(container as MapValue, key);
  if (kind !== 'list') return NO_MATCHING_OVERLOAD;
  const index = mapKeyOf(key);
  if (typeof index === 'number' || typeof index === 'bigint') return indexList(container as readonly Value[], index);
  return kindOf(key) === 'double' ? INDEX_OUT_OF_RANGE : NO_MATCHING_OVERLOAD;
}

/** `in` of tagged values with dynamic types. */
export function inValue(context: RunContext, value: Value, container: Value): boolean | NonValue {
  const kind = kindOf(container);
  if (kind === 'map') return inMap(value, container as MapValue);
  return kind === 'list' ? inList(context, value, container as readonly Value[]) : NO_MATCHING_OVERLOAD;
}

/** Returns the length of a list or of bytes. */
export function lengthOf(value: { readonly length: number }): number {
  return value.length;
}

export function addList(
  context: RunContext,
  a: readonly Value[],
  b: readonly Value[],
): readonly Value[] | EvaluationError {
  return a.length + b.length > context.limits.maxCollectionSize ? COLLECTION_TOO_LARGE : a.concat(b);
}

/** `_[_]` of a list; the result is tagged. */
export function indexList(list: readonly Value[], index: Integer): Value | NonValue {
  if (typeof index !== 'number' || index < 0 || index >= list.length) return INDEX_OUT_OF_RANGE;
  return fromHost(list[index]);
}

/**
 * `in` of a list; all values are tagged. Each compared element costs a step. An element that is an error or unknown decides only if no
 * other element is equal.
 */
export function inList(context: RunContext, value: Value, list: readonly Value[]): boolean | NonValue {
  let undecided: NonValue | undefined;
  for (const element of list) {
    context.left -= 1;
    if (context.left < 0) return OUT_OF_STEPS;
    const candidate = fromHost(element);
    if (candidate instanceof NonValue) undecided ??= candidate;
    else if (sameValue(context, value, candidate)) return context.left < 0 ? OUT_OF_STEPS : true;
  }
  if (context.left < 0) return OUT_OF_STEPS;
  return undecided ?? false;
}

// Elements are passed on unread, including host data.

type List = readonly Value[];

export function sliceList(list: List, from: Integer, to: Integer): List | EvaluationError {
  if (from < 0 || to < from || to > list.length) return INVALID_LIST_RANGE;
  return list.slice(Number(from), Number(to));
}

export function reverseList(list: List): List {
  return list.toReversed();
}

export function rangeList(context: RunContext, size: Integer): List | EvaluationError {
  if (size < 0) return NEGATIVE_COUNT;
  if (size > context.limits.maxCollectionSize) return COLLECTION_TOO_LARGE;
  return Array.from({ length: Number(size) }, (_, index) => index);
}

/** Flattens a list of lists; other elements stay. */
export function flattenList(context: RunContext, list: List): List | EvaluationError {
  return flattenListTo(context, list, 1);
}

export function flattenListTo(context: RunContext, list: List, depth: Integer): List | EvaluationError {
  if (depth < 0) return NEGATIVE_COUNT;
  const result: Value[] = [];
  return appendFlat(context, result, list, Number(depth)) ?? result;
}

/** Returns an error if there are too many elements or the budget is exceeded. */
function appendFlat(context: RunContext, result: Value[], list: List, depth: number): EvaluationError | undefined {
  for (const element of list) {
    context.left -= 1;
    if (context.left < 0) return OUT_OF_STEPS;
    if (Array.isArray(element) && depth > 0) {
      const error = appendFlat(context, result, element, depth - 1);
      if (error !== undefined) return error;
    } else if (result.push(element) > context.limits.maxCollectionSize) return COLLECTION_TOO_LARGE;
  }
  return undefined;
}

export function distinctList(context: RunContext, list: List): List | NonValue {
  const seen = new ValueSet(context);
  const result: Value[] = [];
  for (const element of list) {
    const value = fromHost(element);
    if (value instanceof NonValue) return value;
    if (seen.add(value)) result.push(element);
    context.left -= 1;
    if (context.left < 0) return OUT_OF_STEPS;
  }
  return result;
}

export function firstOfList(list: List): Optional | NonValue {
  return optionalElement(list[0]);
}

export function lastOfList(list: List): Optional | NonValue {
  return optionalElement(list.at(-1));
}

function optionalElement(element: Value | undefined): Optional | NonValue {
  if (element === undefined) return new Optional(undefined);
  const value = fromHost(element);
  return value instanceof NonValue ? value : new Optional(value);
}

/** `cel.@mapInsert(map, key, value)` returns a new map. Evaluators that run the whole loop need not copy. */
export function insertEntry(context: RunContext, map: MapValue, key: Value, value: Value): CelMap | EvaluationError {
  const result = new CelMap();
  return putEntries(result, map) ?? putEntry(result, key, value) ?? bounded(context, result);
}

export function insertEntries(context: RunContext, map: MapValue, entries: MapValue): CelMap | EvaluationError {
  const result = new CelMap();
  return putEntries(result, map) ?? putEntries(result, entries) ?? bounded(context, result);
}

function bounded(context: RunContext, map: CelMap): CelMap | EvaluationError {
  return map.size > context.limits.maxCollectionSize ? COLLECTION_TOO_LARGE : map;
}

export function optionalOf(value: Value): Optional {
  return new Optional(value);
}

export function noOptional(): Optional {
  return new Optional(undefined);
}

export function optionalOfNonZero(value: Value): Optional {
  return new Optional(isZero(value) ? undefined : value);
}

/**
 * Returns true for the default of a type: null, false, zero, and what is empty. An optional is never one, as in the reference
 * implementation.
 */
function isZero(value: Value): boolean {
  switch (kindOf(value)) {
    case 'int':
    case 'uint':
    case 'double':
      return Number(numberIn(value)) === 0;
    case 'null':
    case 'bool':
      return !value;
    case 'string':
    case 'bytes':
    case 'list':
      return (value as string | Uint8Array | readonly Value[]).length === 0;
    case 'map':
      return sizeOfMap(value as MapValue) === 0;
    case 'duration':
      return (value as Duration).seconds === 0 && (value as Duration).nanos === 0;
    default:
      return false;
  }
}

export function hasValue(optional: Optional): boolean {
  return optional.value !== undefined;
}

/** Returns true if the optional holds a value equal to the other value. */
export function hasEqualValue(context: RunContext, optional: Optional, value: Value): boolean | NonValue {
  return optional.value !== undefined && equals(context, optional.value, value);
}

export function valueInOptional(optional: Optional): Value | NonValue {
  return optional.value === undefined ? NO_VALUE : optional.value;
}

// For arguments that are already evaluated; evaluators evaluate the second one only if needed.

export function optionalOr(optional: Optional, other: Optional): Optional {
  return optional.value === undefined ? other : optional;
}

export function optionalOrValue(optional: Optional, other: Value): Value {
  return optional.value === undefined ? other : optional.value;
}

/** Returns the values of the optionals in a list that hold one. */
export function unwrapOptionals(list: readonly Value[]): readonly Value[] | NonValue {
  const values: Value[] = [];
  for (const element of list) {
    // An element that is not an optional is host data.
    const value = element instanceof Optional ? element.value : HOST_TYPE;
    if (value instanceof NonValue) return value;
    if (value !== undefined) values.push(value);
  }
  return values;
}

/** `a.?b` and `a[?b]`, and `a[b]` of an optional. */
export function optionalAt(container: Value, key: Value): Optional | NonValue {
  return optionalMember(container, key, fromHost);
}

type ValueList = readonly Value[];

/** Returns true if the first list contains every element of the second. */
export function containsSet(context: RunContext, set: ValueList, elements: ValueList): boolean | NonValue {
  const count = countIn(context, set, elements);
  return count instanceof NonValue ? count : count === elements.length;
}

/** Returns true if the second list contains every element of the first. */
export function isSubset(context: RunContext, elements: ValueList, set: ValueList): boolean | NonValue {
  return containsSet(context, set, elements);
}

export function equivalentSets(context: RunContext, a: ValueList, b: ValueList): boolean | NonValue {
  const there = containsSet(context, a, b);
  return there === true ? containsSet(context, b, a) : there;
}

export function intersectsSet(context: RunContext, a: ValueList, b: ValueList): boolean | NonValue {
  const count = countIn(context, a, b);
  return count instanceof NonValue ? count : count > 0;
}

/** Returns how many of the elements are in the list. */
function countIn(context: RunContext, list: ValueList, elements: ValueList): number | NonValue {
  const set = new ValueSet(context);
  let count = 0;
  for (const [index, element] of [...list, ...elements].entries()) {
    const value = fromHost(element);
    if (value instanceof NonValue) return value;
    if (index < list.length) set.add(value);
    else if (set.has(value)) count++;
    context.left -= 1;
    if (context.left < 0) return OUT_OF_STEPS;
  }
  return count;
}

type Comparison = (a: Value, b: Value) => number;

/** Sorts in ascending order; the sort is stable. Elements must be of one kind; numbers of all types are one kind. */
export function sortList(context: RunContext, list: readonly Value[]): readonly Value[] | NonValue {
  return sortByKeys(context, list, list);
}

/** Like {@link sortList}, for a list of uints, which untagged may exceed the range of int. */
export function sortUintList(context: RunContext, list: readonly Value[]): readonly Value[] | NonValue {
  return sortByUintKeys(context, list, list);
}

type Sorted = readonly Value[] | NonValue;

/** Sorts by the keys at the same positions, in ascending order. Each comparison costs a step plus the steps of reading the first key. */
export function sortByKeys(context: RunContext, list: readonly Value[], keys: readonly Value[]): Sorted {
  return sortBy(context, list, keys, fromHost);
}

/** Like {@link sortByKeys}, for uint keys. */
export function sortByUintKeys(context: RunContext, list: readonly Value[], keys: readonly Value[]): Sorted {
  return sortBy(context, list, keys, readUint);
}

function sortBy(context: RunContext, list: readonly Value[], keys: readonly Value[], reader: HostReader): Sorted {
  if (keys.length !== list.length) return DIFFERENT_LENGTHS;
  const read: Value[] = [];
  for (const key of keys) {
    const value = reader(key);
    if (value instanceof NonValue) return value;
    if (read.length > 0 && comparisonOf(value) !== comparisonOf(read[0]!)) return NO_MATCHING_OVERLOAD;
    read.push(value);
  }
  if (read.length === 0) return list;
  const compare = comparisonOf(read[0]!);
  if (compare === undefined) return NO_MATCHING_OVERLOAD;
  const counted: Comparison = (a, b) => {
    context.left -= 1 + stepsOf(a);
    return context.left < 0 ? 0 : compare(a, b);
  };
  const order = Array.from(read, (_, index) => index).sort((i, j) => counted(read[i]!, read[j]!));
  return context.left < 0 ? OUT_OF_STEPS : order.map(index => list[index]!);
}

const COMPARISONS: Readonly<Partial<Record<RuntimeKind, Comparison>>> = {
  int: compareNumbers,
  uint: compareNumbers,
  double: compareNumbers,
  bool: (a, b) => Number(a) - Number(b),
  string: compareStrings as Comparison,
  bytes: compareBytes as Comparison,
  timestamp: (a, b) => compareTimes(a as Timestamp, b as Timestamp),
  duration: (a, b) => compareTimes(a as Timestamp, b as Timestamp),
};

function comparisonOf(value: Value): Comparison | undefined {
  return COMPARISONS[kindOf(value)];
}

/** NaN comes last, so that the order is total. */
function compareNumbers(a: Value, b: Value): number {
  const x = numberIn(a)!;
  const y = numberIn(b)!;
  if (x < y) return -1;
  if (x > y) return 1;
  return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
}
