// Comparisons of two values that both vary, also with a constant added.

import type { Expr } from '@tollgate/cel';
import { type Comparator, compareStrings } from '@tollgate/cel/tooling';
import {
  ALWAYS_FAILS,
  type Condition,
  choiceOf,
  decided,
  FALSE,
  negated,
  provided,
  type Signal,
  TRUE,
} from '../logic/formula.ts';
import type { Cell, Computed, Slot, Vocabulary } from '../theory/vocabulary.ts';
import { ANY_INTEGER, DOUBLES, INT64, type IntRange, type IntSet, includes } from '../values/int-set.ts';
import { beforeLanguage, wordsLanguage } from '../values/language.ts';
import { type FoundCell, inputCell, isSameValue, listCell, opaqueCell, shownSource } from './cells.ts';
import { constantOf, numberCell, setFor } from './integer-value.ts';
import { hasElements } from './locations.ts';
import {
  bindingOf,
  definedValue,
  integerConstant,
  operandsOf,
  overloadOf,
  type Reader,
  resolved,
  stringConstant,
  typeOf,
} from './reader-context.ts';

/** Compares two values that both vary; undefined if it is not understood. */
export function varyingComparison(
  reader: Reader,
  comparator: Comparator,
  [left, right]: readonly [Expr, Expr],
): Condition | undefined {
  const type = typeOf(reader, left);
  if (type !== typeOf(reader, right)) return undefined;
  if (type === 'string')
    return forEachString(reader, left, a =>
      forEachString(reader, right, b =>
        compared(reader, { comparator, source: shownPair(reader, [left, '<', right]) }, [a, b]),
      ),
    );
  return type === 'double' ? doubles(reader, comparator, [left, right]) : numbers(reader, comparator, [left, right]);
}

/** Returns a comparison for messages. */
function shownPair(reader: Reader, [left, operator, right]: readonly [Expr, string, Expr]): string {
  const [one, other] = [left, right].map(side => shownSource(reader, side).replace(/^`|`$/g, ''));
  return `\`${one} ${operator} ${other}\``;
}

/** A string that is the value of a cell or an element of a list, and when reading it does not fail; or a constant. */
type FoundString = (Pick<FoundCell, 'requires' | 'lift'> & { readonly slot: Slot }) | string;

/** Reads a condition about a string, for each string that conditionals may choose. */
function forEachString(
  reader: Reader,
  expr: Expr,
  read: (found: FoundString) => Condition | undefined,
): Condition | undefined {
  const own = resolved(reader, expr);
  // Any element of a list: loops are about one value.
  if (bindingOf(reader, own)?.kind === 'element') return undefined;
  const constant = stringConstant(reader, own) ?? definedValue(reader, own);
  if (typeof constant === 'string') return read(constant);
  const found = inputCell(reader, own, 'string');
  if (found !== undefined) return read({ ...found, slot: { cell: found.cell, index: undefined } });
  if (own.kind !== 'call') return undefined;
  if (own.function === '_?_:_') return chosen(reader, own, branch => forEachString(reader, branch, read));
  const index = own.function === '_[_]' ? integerConstant(reader, own.args[1]!) : undefined;
  const isElement = index !== undefined && index >= 0n && index <= MAX_INDEX;
  const element = isElement ? forElement(reader, own.args[0]!, { index, read }) : undefined;
  if (element !== undefined) return element;
  const { cell, ...others } = opaqueCell(reader, own, 'string');
  return read({ ...others, slot: { cell, index: undefined } });
}

const MAX_INDEX = 100n;

type Call = Extract<Expr, { kind: 'call' }>;

function chosen(reader: Reader, { args }: Call, read: (branch: Expr) => Condition | undefined): Condition | undefined {
  const [yes, no] = [read(args[1]!), read(args[2]!)];
  return yes && no && choiceOf(reader.vocabulary.graph, reader.translate(reader, args[0]!), yes, no);
}

interface ElementRead {
  readonly index: bigint;
  readonly read: (found: FoundString) => Condition | undefined;
}

function forElement(reader: Reader, expr: Expr, element: ElementRead): Condition | undefined {
  const list = resolved(reader, expr);
  if (list.kind === 'call' && list.function === '_?_:_')
    return chosen(reader, list, branch => forElement(reader, branch, element));
  if (list.kind === 'list') return list.elements.length === 0 ? ALWAYS_FAILS : undefined;
  const found = listCell(reader, list);
  if (found === undefined) return undefined;
  const { cell, requires, lift } = found;
  const exists = lift(hasElements(reader, cell, element.index + 1n));
  return element.read({
    slot: { cell, index: Number(element.index) },
    requires: reader.vocabulary.graph.and([requires, exists]),
    lift,
  });
}

function compared(
  reader: Reader,
  { comparator, source }: { readonly comparator: Comparator; readonly source: string },
  [a, b]: readonly [FoundString, FoundString],
): Condition | undefined {
  const equal = stringsEqual(reader, a, b);
  if (comparator === '==' || equal === undefined) return equal;
  const { graph } = reader.vocabulary;
  const before = isBefore(reader, source, [a, b]);
  if (before === undefined) return undefined;
  // One of two strings that differ comes first.
  const isLess = comparator === '<' || comparator === '>=';
  const first = isLess ? before : -before;
  const isReversed = comparator === '<=' || comparator === '>=';
  const found = {
    whenTrue: graph.and([first, equal.whenFalse]),
    whenFalse: graph.or([graph.and([-first, equal.whenFalse]), equal.whenTrue]),
  };
  return isReversed ? negated(found) : found;
}

/** Returns the signal that one of two different strings comes before the other; undefined if they belong to different elements of a list. */
function isBefore(reader: Reader, source: string, [a, b]: readonly [FoundString, FoundString]): Signal | undefined {
  if (typeof a === 'string') {
    if (typeof b === 'string') return compareStrings(a, b) < 0 ? TRUE : FALSE;
    const after = isBefore(reader, source, [b, a]);
    return after && -after;
  }
  const { vocabulary } = reader;
  if (typeof b === 'string') {
    const { cell, index } = a.slot;
    const language = beforeLanguage(vocabulary.language.bind(vocabulary), b);
    const meaning = index === undefined ? ({ kind: 'language' } as const) : ({ kind: 'element', index } as const);
    return a.lift(vocabulary.atom({ ...meaning, cell, language }));
  }
  const isOrdered = isInOrder(a.slot, b.slot);
  const slots: Pair = isOrdered ? [a.slot, b.slot] : [b.slot, a.slot];
  const atom = pairAtom(reader, { name: 'before', source, test: (x, y) => compareStrings(x, y) < 0 }, slots);
  return lifted(a, b, isOrdered ? atom : -atom);
}

/** Reads `startsWith`, `endsWith` and `contains` of two strings that both vary; undefined for others. */
export function varyingPart(reader: Reader, call: Call): Condition | undefined {
  const [whole, part] = operandsOf(reader, call);
  const test = TESTS[call.function];
  if (test === undefined || part === undefined || typeOf(reader, whole!) !== 'string') return undefined;
  const source = shownSource(reader, call);
  return forEachString(reader, whole!, a =>
    forEachString(reader, part, b => partOf(reader, { name: call.function, source, test }, [a, b])),
  );
}

const TESTS: Readonly<Partial<Record<string, PairTest['test']>>> = {
  startsWith: (a, b) => a.startsWith(b),
  endsWith: (a, b) => a.endsWith(b),
  contains: (a, b) => a.includes(b),
};

/** Equal strings begin and end with each other, and what begins or ends with a string contains it. */
function partOf(reader: Reader, test: PairTest, [a, b]: readonly [FoundString, FoundString]): Condition | undefined {
  if (typeof a === 'string' || typeof b === 'string') return undefined;
  const { graph } = reader.vocabulary;
  const equal = stringsEqual(reader, a, b);
  const implying = test.name === 'contains' ? (['startsWith', 'endsWith'] as const) : [];
  const tests = [...implying.map(name => ({ ...test, name, test: TESTS[name]! })), test];
  const found = tests.map(one => lifted(a, b, pairAtom(reader, one, [a.slot, b.slot])));
  if (equal === undefined || !found.every(signal => signal !== undefined)) return undefined;
  const isRead = graph.and([a.requires, b.requires]);
  return provided(graph, isRead, decided(graph.or([equal.whenTrue, ...found])));
}

type Pair = readonly [Slot, Slot];

/** A relation of two strings. */
interface PairTest {
  readonly name: string;
  readonly source: string;
  readonly test: (one: string, other: string) => boolean;
}

/** Returns the atom that a relation holds. Nothing is known about it but what strings that are tried show. */
function pairAtom({ vocabulary }: Reader, { name, source, test }: PairTest, slots: Pair): Signal {
  const key = slots.map(({ cell, index }) => `${cell.id}:${index}`).join();
  const cell = vocabulary.cell(`${name}:${key}`, () => ({
    ...{ sort: 'free', steps: [], role: undefined, version: '', universe: { preferred: [] } },
    uninterpreted: source,
    ...(name === 'before' && { before: slots }),
    computed: { ...computedPair(slots, test), part: 'value' },
  }));
  return vocabulary.atom({ kind: 'free', cell });
}

function computedPair(slots: Pair, test: PairTest['test']): Computed {
  const inputs = slots.map(({ cell }, at) => cell.computed ?? { operands: [slots[at]!], apply: undefined, pieces: [] });
  const count = inputs[0]!.operands.length;
  return {
    operands: inputs.flatMap(one => one.operands),
    isAlways: false,
    pieces: inputs.flatMap(one => one.pieces),
    apply: texts => {
      const parts = [texts.slice(0, count), texts.slice(count)];
      const [one, other] = inputs.map(({ apply }, at) => (apply === undefined ? parts[at]![0] : apply(parts[at]!)));
      return typeof one === 'string' && typeof other === 'string' ? test(one, other) : undefined;
    },
  };
}

function stringsEqual(reader: Reader, a: FoundString, b: FoundString): Condition | undefined {
  if (typeof a === 'string')
    return typeof b === 'string' ? decided(a === b ? TRUE : -TRUE) : stringsEqual(reader, b, a);
  const { vocabulary } = reader;
  const { graph } = vocabulary;
  if (typeof b === 'string') {
    const { cell, index } = a.slot;
    const language = wordsLanguage(vocabulary.language.bind(vocabulary), [b]);
    const meaning = index === undefined ? ({ kind: 'language' } as const) : ({ kind: 'element', index } as const);
    return provided(graph, a.requires, decided(a.lift(vocabulary.atom({ ...meaning, cell, language }))));
  }
  const [one, other] = [a, b].map(found => ({ ...found, cell: found.slot.cell }));
  const isSame = a.slot.index === b.slot.index && isSameValue(reader, one!, other!);
  const equal = isSame ? TRUE : lifted(a, b, sameAtom(reader, a.slot, b.slot));
  if (equal === undefined) return undefined;
  return provided(graph, graph.and([a.requires, b.requires]), decided(equal));
}

function isInOrder(a: Slot, b: Slot): boolean {
  return a.cell.id < b.cell.id || (a.cell === b.cell && (a.index ?? 0) < (b.index ?? 0));
}

function sameAtom({ vocabulary }: Reader, a: Slot, b: Slot): Signal {
  const [one, other] = isInOrder(a, b) ? [a, b] : [b, a];
  return vocabulary.atom({ kind: 'same', cell: one.cell, index: one.index, other });
}

/** Returns what a signal about two values says about the exchange; undefined if they belong to different elements of a list. */
function lifted(a: Pick<FoundCell, 'lift'>, b: Pick<FoundCell, 'lift'>, signal: Signal): Signal | undefined {
  const found = a.lift(signal);
  return found === b.lift(signal) ? found : undefined;
}

/** Compares a sum of two values, or of a moment and a duration; undefined for other values. */
export function sumComparison(
  reader: Reader,
  comparator: Comparator,
  operands: readonly [Expr, Expr],
): Condition | undefined {
  const isSum = operands.some(operand => isVaryingSum(reader, operand));
  return isSum && operands.every(operand => isLinear(reader, operand))
    ? numbers(reader, comparator, operands)
    : undefined;
}

function numbers(reader: Reader, comparator: Comparator, [left, right]: readonly [Expr, Expr]): Condition | undefined {
  const [a, b] = [linearValue(reader, left), linearValue(reader, right)];
  const compared = a && b && differenceIn(reader, [a, b], setFor(comparator, 0n));
  if (compared === undefined) return undefined;
  return provided(reader.vocabulary.graph, reader.vocabulary.graph.and([a!.requires, b!.requires]), decided(compared));
}

/** What is not a number equals nothing and is not ordered. */
function doubles(reader: Reader, comparator: Comparator, operands: readonly [Expr, Expr]): Condition | undefined {
  const { vocabulary } = reader;
  const { graph } = vocabulary;
  const [a, b] = operands.map(operand => {
    const own = resolved(reader, operand);
    const found = inputCell(reader, own, 'double') ?? opaqueCell(reader, own, 'double');
    const isNumber = found.lift(vocabulary.atom({ kind: 'integers', cell: found.cell, set: [DOUBLES[0]!] }));
    return { ...found, plus: found, minus: undefined, offset: 0n, isNumber };
  });
  const compared = differenceIn(reader, [a!, b!], setFor(comparator, 0n));
  if (compared === undefined) return undefined;
  const holds = graph.and([a!.isNumber, b!.isNumber, compared]);
  return provided(graph, graph.and([a!.requires, b!.requires]), decided(holds));
}

/** `plus - minus + offset`. */
interface Linear {
  readonly plus: FoundCell | undefined;
  readonly minus: FoundCell | undefined;
  readonly offset: bigint;
  /** Holds where computing it does not fail. */
  readonly requires: Signal;
}

/** Reads an integer, a moment or a duration as a difference of two values at most; undefined if it is not one. */
function linearValue(reader: Reader, expr: Expr): Linear | undefined {
  const own = resolved(reader, expr);
  const constant = constantOf(reader, own);
  if (constant !== undefined) return { plus: undefined, minus: undefined, offset: constant, requires: TRUE };
  const sum = own.kind === 'call' ? sumOf(reader, own) : undefined;
  if (sum !== undefined) return sum;
  const found = numberCell(reader, own);
  return found && { plus: found, minus: undefined, offset: 0n, requires: found.requires };
}

/** Returns true for sums of two values that vary, and for those of a moment and a duration. */
function isVaryingSum(reader: Reader, expr: Expr): boolean {
  const own = resolved(reader, expr);
  const [, , type] = (own.kind === 'call' && SUM.exec(overloadOf(reader, own) ?? '')) || [];
  if (own.kind !== 'call' || type === undefined) return false;
  return type !== 'int64' || operandsOf(reader, own).every(operand => constantOf(reader, operand) === undefined);
}

/** Returns false for sums that are not a difference of two values at most. */
function isLinear(reader: Reader, expr: Expr): boolean {
  const own = resolved(reader, expr);
  const isSum = own.kind === 'call' && SUM.test(overloadOf(reader, own) ?? '');
  return !isSum || sumOf(reader, own) !== undefined;
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
function differenceIn(reader: Reader, [a, b]: readonly [Linear, Linear], set: IntSet): Signal | undefined {
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
