import type { Expr } from '@tollgate/cel';
import { type Condition, decided } from '../logic/condition.ts';
import { FALSE } from '../logic/graph.ts';
import { DOUBLES, positionOf } from '../values/doubles.ts';
import { ANY_INTEGER, type IntSet, intersect } from '../values/int-set.ts';
import { inputCell, tested } from './cells.ts';
import { type Comparator, type ConstantComparison, setFor } from './comparator.ts';
import { integerValue } from './integer-value.ts';
import { opaqueCell } from './opaque.ts';
import { integerConstant, type Reader, resolved, typeOf } from './reader-context.ts';

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
  const integers = integersFor(comparator, bound);
  return integers && integerValue(reader, operand)?.(integers);
}

/** Integers beyond 2^53 are rounded before they are compared with a double, and are left out. */
function numberConstant(reader: Reader, expr: Expr): number | undefined {
  const own = resolved(reader, expr);
  if (own.kind === 'literal' && own.literal.type === 'double') return own.literal.value;
  const integer = integerConstant(reader, own);
  return integer === undefined || Math.abs(Number(integer)) >= 2 ** 53 ? undefined : Number(integer);
}

/** Returns the positions of the numbers that compare as the operator says. */
function ordered(comparator: Comparator, bound: number): IntSet {
  return intersect(setFor(comparator, positionOf(bound)), [DOUBLES[0]!]);
}

function integersFor(comparator: Comparator, bound: number): IntSet | undefined {
  if (Number.isNaN(bound)) return [];
  if (Math.abs(bound) >= 2 ** 53) return undefined;
  if (Number.isInteger(bound)) return setFor(comparator, BigInt(bound));
  if (comparator === '==') return [];
  if (comparator === '!=') return [ANY_INTEGER];
  const isBelow = comparator === '<' || comparator === '<=';
  return isBelow ? setFor('<=', BigInt(Math.floor(bound))) : setFor('>=', BigInt(Math.ceil(bound)));
}

/** Reads a double: an input, or a value of its own. Returns the condition that its position is in a set. */
function doubleValue(reader: Reader, expr: Expr): (set: IntSet) => Condition {
  const { vocabulary } = reader;
  const own = resolved(reader, expr);
  if (own.kind === 'literal' && own.literal.type === 'double') {
    const position = positionOf(own.literal.value);
    return set => decided(set.some(([first, last]) => first <= position && position <= last) ? -FALSE : FALSE);
  }
  const found = inputCell(reader, own, 'double') ?? opaqueCell(reader, own, 'double');
  return set => tested(reader, found, vocabulary.atom({ kind: 'integers', cell: found.cell, set }));
}
