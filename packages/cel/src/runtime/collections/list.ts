import type { Integer } from '../../ast/ast.ts';
import { COLLECTION_TOO_LARGE, INDEX_OUT_OF_RANGE, OUT_OF_STEPS } from '../../values/errors.ts';
import { type EvaluationError, NonValue, type Value } from '../../values/value.ts';
import type { RunContext } from '../context/implementation.ts';
import { fromHost } from '../host/from-host.ts';
import { sameValue } from './equality.ts';

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
