import type { Expr } from '@tollgate/cel';
import { inputCell, tested } from '../inputs/cells.ts';
import { opaqueCell } from '../inputs/opaque.ts';
import { integerConstant, operandsOf, overloadOf, type Reader, resolved, typeOf } from '../inputs/reader-context.ts';
import { type Condition, decided, provided } from '../logic/condition.ts';
import { FALSE } from '../logic/graph.ts';
import { doubleLanguage } from '../strings/languages.ts';
import { DOUBLES, positionOf } from '../values/doubles.ts';
import { between, INT64, type IntRange, type IntSet, intersect } from '../values/int-set.ts';
import { type Comparator, type ConstantComparison, setFor } from './comparator.ts';
import { integerValue } from './integer-value.ts';
import { stringValue } from './string-value.ts';

/** Compares a double, or an integer, with a constant double; undefined if it is not understood. */
export function doubleComparison(
  reader: Reader,
  { comparator, operand, constant }: ConstantComparison,
): Condition | undefined {
  const bound = numberConstant(reader, constant);
  if (bound === undefined) return undefined;
  if (typeOf(reader, operand) === 'double') {
    return doubleValue(reader, operand)(Number.isNaN(bound) ? [] : ordered(comparator, bound));
  }
  if (typeOf(reader, operand) !== 'int') return undefined;
  // They are rounded before they are compared.
  const integers = Number.isNaN(bound) ? [] : ordered(comparator, bound).flatMap(integersBetween);
  return integerValue(reader, operand)?.(integers);
}

/** Returns a constant number as a double; undefined for integers beyond 2^53, which are rounded. */
export function numberConstant(reader: Reader, expr: Expr): number | undefined {
  const own = resolved(reader, expr);
  if (own.kind === 'literal' && own.literal.type === 'double') return own.literal.value;
  const integer = integerConstant(reader, own);
  return integer === undefined || Math.abs(Number(integer)) >= 2 ** 53 ? undefined : Number(integer);
}

/** Returns the positions of the numbers that compare as the operator says. */
export function ordered(comparator: Comparator, bound: number): IntSet {
  return intersect(setFor(comparator, positionOf(bound)), [DOUBLES[0]!]);
}

/** Reads a double: an input, or a value of its own. Returns the condition that its position is in a set. */
export function doubleValue(reader: Reader, expr: Expr): (set: IntSet) => Condition {
  const { vocabulary } = reader;
  const own = resolved(reader, expr);
  if (own.kind === 'literal' && own.literal.type === 'double') {
    const position = positionOf(own.literal.value);
    return set => decided(set.some(([first, last]) => first <= position && position <= last) ? -FALSE : FALSE);
  }
  const converted = own.kind === 'call' ? convertedValue(reader, own) : undefined;
  if (converted !== undefined) return converted;
  const found = inputCell(reader, own, 'double') ?? opaqueCell(reader, own, 'double');
  return set => tested(reader, found, vocabulary.atom({ kind: 'integers', cell: found.cell, set }));
}

/** `double(string)` and `double(int)`. */
function convertedValue(
  reader: Reader,
  call: Extract<Expr, { kind: 'call' }>,
): ((set: IntSet) => Condition) | undefined {
  const overload = overloadOf(reader, call);
  const [operand] = operandsOf(reader, call);
  if (overload === 'int64_to_double') {
    const value = integerValue(reader, operand!);
    return value && (set => value(set.flatMap(integersBetween)));
  }
  const value = overload === 'string_to_double' ? stringValue(reader, operand!) : undefined;
  if (value === undefined) return undefined;
  const { vocabulary } = reader;
  const languageFor = (set: IntSet) => doubleLanguage(vocabulary.language.bind(vocabulary), set);
  // Other strings fail.
  const isNumber = value.isIn(languageFor(DOUBLES)).whenTrue;
  return set => provided(vocabulary.graph, isNumber, value.isIn(languageFor(set)));
}

/** Returns the integers whose nearest doubles have positions in a range. Rounding keeps their order. */
function integersBetween([first, last]: IntRange): IntSet {
  return between(firstFrom(first), firstFrom(last + 1n) - 1n);
}

/** Returns the least integer of 64 bits whose double has this position at least; one more than the greatest if there is none. */
function firstFrom(position: bigint): bigint {
  let [low, high] = [INT64[0], INT64[1] + 1n];
  while (low < high) {
    const middle = (low + high) >> 1n;
    if (positionOf(Number(middle)) >= position) high = middle;
    else low = middle + 1n;
  }
  return low;
}
