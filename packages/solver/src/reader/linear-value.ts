import type { Expr } from '@tollgate/cel';
import { type FoundCell, isSameValue } from '../inputs/cells.ts';
import { operandsOf, overloadOf, type Reader, resolved, typeOf } from '../inputs/reader-context.ts';
import { FALSE, type Signal, TRUE } from '../logic/graph.ts';
import type { Cell, Vocabulary } from '../theory/vocabulary.ts';
import { ANY_INTEGER, INT64, type IntRange, type IntSet, includes } from '../values/int-set.ts';
import { constantOf, numberCell } from './integer-value.ts';

/** `plus - minus + offset`. */
export interface Linear {
  readonly plus: FoundCell | undefined;
  readonly minus: FoundCell | undefined;
  readonly offset: bigint;
  /** Holds where computing it does not fail. */
  readonly requires: Signal;
}

/** Reads an integer, a moment or a duration as a difference of two values at most; undefined if it is not one. */
export function linearValue(reader: Reader, expr: Expr): Linear | undefined {
  const own = resolved(reader, expr);
  const constant = constantOf(reader, own);
  if (constant !== undefined) return { plus: undefined, minus: undefined, offset: constant, requires: TRUE };
  const sum = own.kind === 'call' ? sumOf(reader, own) : undefined;
  if (sum !== undefined) return sum;
  const found = numberCell(reader, own);
  return found && { plus: found, minus: undefined, offset: 0n, requires: found.requires };
}

/** Returns true for sums of two values that vary, and for those of a moment and a duration. */
export function isVaryingSum(reader: Reader, expr: Expr): boolean {
  const own = resolved(reader, expr);
  const [, , type] = (own.kind === 'call' && SUM.exec(overloadOf(reader, own) ?? '')) || [];
  if (own.kind !== 'call' || type === undefined) return false;
  return type !== 'int64' || operandsOf(reader, own).every(operand => constantOf(reader, operand) === undefined);
}

const SUM = /^(add|subtract)_(int64|timestamp|duration)/;

function sumOf(reader: Reader, call: Extract<Expr, { kind: 'call' }>): Linear | undefined {
  const [, operation] = SUM.exec(overloadOf(reader, call) ?? '') ?? [];
  if (operation === undefined) return undefined;
  const [left, right] = operandsOf(reader, call).map(operand => linearValue(reader, operand));
  const other =
    right && operation === 'subtract'
      ? { ...right, plus: right.minus, minus: right.plus, offset: -right.offset }
      : right;
  const sum = left && other && added(reader, left, other);
  const range = sum && RANGES[typeOf(reader, call)];
  if (range === undefined) return undefined;
  const isInRange = signalFor(reader, sum!, [range]);
  return isInRange === undefined
    ? undefined
    : { ...sum!, requires: reader.vocabulary.graph.and([sum!.requires, isInRange]) };
}

const SECOND = 1_000_000_000n;

/** What results of sums may be, by type: others fail. */
const RANGES: Readonly<Partial<Record<string, readonly [bigint, bigint]>>> = {
  int: INT64,
  timestamp: [-62_135_596_800n * SECOND, 253_402_300_800n * SECOND - 1n],
  duration: INT64,
};

function added(reader: Reader, a: Linear, b: Linear): Linear | undefined {
  const plus = without(reader, [a.plus, b.plus], [a.minus, b.minus]);
  const minus = without(reader, [a.minus, b.minus], [a.plus, b.plus]);
  if (plus.length > 1 || minus.length > 1) return undefined;
  const requires = reader.vocabulary.graph.and([a.requires, b.requires]);
  return { plus: plus[0], minus: minus[0], offset: a.offset + b.offset, requires };
}

/** Leaves out values that are also subtracted. */
function without(
  reader: Reader,
  values: readonly (FoundCell | undefined)[],
  others: readonly (FoundCell | undefined)[],
): readonly FoundCell[] {
  const rest = others.filter(one => one !== undefined);
  return values.flatMap(one => {
    const at = one === undefined ? -1 : rest.findIndex(other => isSameValue(reader, one, other));
    if (at >= 0) rest.splice(at, 1);
    return one === undefined || at >= 0 ? [] : [one];
  });
}

/** Returns the signal that the difference of two values is in a set; undefined if more than two inputs make it up. */
export function differenceIn(reader: Reader, [a, b]: readonly [Linear, Linear], set: IntSet): Signal | undefined {
  const sum = added(reader, a, { plus: b.minus, minus: b.plus, offset: -b.offset, requires: b.requires });
  return sum && signalFor(reader, sum, set);
}

function signalFor({ vocabulary }: Reader, { plus, minus, offset }: Linear, set: IntSet): Signal | undefined {
  const { graph } = vocabulary;
  const own = set.map(([first, last]): IntRange => [first - offset, last - offset]);
  const only = plus ?? minus;
  if (only === undefined) return includes(own, 0n) ? TRUE : FALSE;
  if (plus === undefined || minus === undefined) {
    const values = plus === undefined ? own.map(([first, last]): IntRange => [-last, -first]).toReversed() : own;
    return only.lift(vocabulary.atom({ kind: 'integers', cell: only.cell, set: values }));
  }
  const ranges = own.map(([first, last]) =>
    graph.and([
      atMost(vocabulary, [plus.cell, minus.cell], last),
      -atMost(vocabulary, [plus.cell, minus.cell], first - 1n),
    ]),
  );
  const signal = graph.or(ranges);
  const found = plus.lift(signal);
  // They may belong to different elements of a list.
  return found === minus.lift(signal) ? found : undefined;
}

/** Returns the signal that a difference is at most this much. */
function atMost(vocabulary: Vocabulary, [a, b]: readonly [Cell, Cell], most: bigint): Signal {
  if (most >= FAR || most < -FAR) return most < 0n ? FALSE : TRUE;
  if (a.id < b.id) return vocabulary.atom({ kind: 'difference', cell: a, other: b, most });
  return -vocabulary.atom({ kind: 'difference', cell: b, other: a, most: -most - 1n });
}

/** Differences of values, which are less far apart, do not reach it; sets without an end are cut there. */
const FAR = ANY_INTEGER[1] / 2n;
