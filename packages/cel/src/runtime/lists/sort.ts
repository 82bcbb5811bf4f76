import { compareBytes, compareText, compareTimes } from '../comparison.ts';
import { numberIn } from '../equality.ts';
import { NO_MATCHING_OVERLOAD } from '../errors.ts';
import { DIFFERENT_LENGTHS } from '../extension-errors.ts';
import { fromHost } from '../from-host.ts';
import { type HostReader, readUint } from '../host.ts';
import { kindOf, type RuntimeKind } from '../runtime-type.ts';
import { NonValue, type Timestamp, type Value } from '../value.ts';

type Comparison = (a: Value, b: Value) => number;

/** In ascending order; the sort is stable. Elements must be of one kind, numbers of all types counting as one. */
export function sortList(list: readonly Value[]): readonly Value[] | NonValue {
  return sortByKeys(list, list);
}

/** As {@link sortList}, of a list of uints, which bare are beyond the range of int. */
export function sortUintList(list: readonly Value[]): readonly Value[] | NonValue {
  return sortByUintKeys(list, list);
}

/** In the ascending order of the keys at the same positions. */
export function sortByKeys(list: readonly Value[], keys: readonly Value[]): readonly Value[] | NonValue {
  return sortBy(list, keys, fromHost);
}

/** As {@link sortByKeys}, where the keys are uints. */
export function sortByUintKeys(list: readonly Value[], keys: readonly Value[]): readonly Value[] | NonValue {
  return sortBy(list, keys, readUint);
}

function sortBy(list: readonly Value[], keys: readonly Value[], reader: HostReader): readonly Value[] | NonValue {
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
  const order = Array.from(read, (_, index) => index).sort((i, j) => compare(read[i]!, read[j]!));
  return order.map(index => list[index]!);
}

const COMPARISONS: Readonly<Partial<Record<RuntimeKind, Comparison>>> = {
  int: compareNumbers,
  uint: compareNumbers,
  double: compareNumbers,
  bool: (a, b) => Number(a) - Number(b),
  string: compareText as Comparison,
  bytes: compareBytes as Comparison,
  timestamp: (a, b) => compareTimes(a as Timestamp, b as Timestamp),
  duration: (a, b) => compareTimes(a as Timestamp, b as Timestamp),
};

function comparisonOf(value: Value): Comparison | undefined {
  return COMPARISONS[kindOf(value)];
}

/** What is not a number comes last, so that there is an order. */
function compareNumbers(a: Value, b: Value): number {
  const x = numberIn(a)!;
  const y = numberIn(b)!;
  if (x < y) return -1;
  if (x > y) return 1;
  return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
}
