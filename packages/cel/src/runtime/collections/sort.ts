import { compareBytes, compareStrings, compareTimes } from '../../values/comparison.ts';
import { NO_MATCHING_OVERLOAD, OUT_OF_STEPS } from '../../values/errors.ts';
import { DIFFERENT_LENGTHS } from '../../values/extension-errors.ts';
import { kindOf, type RuntimeKind } from '../../values/runtime-type.ts';
import { NonValue, type Timestamp, type Value } from '../../values/value.ts';
import type { RunContext } from '../context/implementation.ts';
import { stepsOf } from '../context/steps.ts';
import { fromHost } from '../host/from-host.ts';
import { type HostReader, readUint } from '../host/host.ts';
import { numberIn } from './equality.ts';

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
