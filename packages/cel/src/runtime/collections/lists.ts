import type { Integer } from '../../ast/ast.ts';
import { COLLECTION_TOO_LARGE, OUT_OF_STEPS } from '../../values/errors.ts';
import { INVALID_LIST_RANGE, NEGATIVE_COUNT } from '../../values/extension-errors.ts';
import { type EvaluationError, NonValue, Optional, type Value } from '../../values/value.ts';
import type { RunContext } from '../context/implementation.ts';
import { fromHost } from '../host/from-host.ts';
import { ValueSet } from './value-set.ts';

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
