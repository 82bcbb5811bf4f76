// Expressions that are integers: sizes, parts of moments, arithmetic with constants.

import { Duration, type Expr, Timestamp } from '@tollgate/cel';
import type { Comparator } from '@tollgate/cel/tooling';
import {
  anyOf,
  type Condition,
  choiceOf,
  decided,
  FALSE,
  type Graph,
  provided,
  type Signal,
  TRUE,
} from '../logic/formula.ts';
import { floorDivide, isTimePart, momentsInYears, rangeOfPart } from '../theory/integers.ts';
import type { Cell } from '../theory/vocabulary.ts';
import {
  ANY_INTEGER,
  between,
  complement,
  INT64,
  type IntRange,
  type IntSet,
  includes,
  intersect,
  keyOf,
  unionOf,
} from '../values/int-set.ts';
import { integerLanguage, sizeLanguage } from '../values/language.ts';
import { firstAtLanguage, lastAtLanguage, partsLanguage } from '../values/string-functions.ts';
import { type FoundCell, inputCell, listCell, opaqueCell, recordsCell, tested } from './cells.ts';
import { mapSize } from './locations.ts';
import { filteredRecords, filterPredicate, isKept, mayFail } from './loops.ts';
import {
  definedValue,
  definitionOf,
  integerConstant,
  operandsOf,
  overloadOf,
  pathOf,
  type Reader,
  resolved,
  stringConstant,
  typeOf,
} from './reader-context.ts';
import { stringValue } from './string-value.ts';

/** An integer, or a moment in ns since 1970-01-01T00:00:00Z. Returns the condition that it is in a set. */
type IntegerValue = (set: IntSet) => Condition;

const SORTS: ReadonlySet<string> = new Set(['int', 'uint', 'timestamp', 'duration']);

/** Reads an expression as an integer; undefined if it is not understood. */
export function integerValue(reader: Reader, expr: Expr): IntegerValue | undefined {
  const own = resolved(reader, expr);
  if (!SORTS.has(typeOf(reader, own))) return undefined;
  const constant = constantOf(reader, own);
  if (constant !== undefined) return set => decided(includes(set, constant) ? TRUE : FALSE);
  const found = cellOf(reader, own);
  if (found !== undefined) return cellValue(reader, found);
  if (own.kind === 'call') return callValue(reader, own) ?? opaqueValue(reader, own);
  if (typeOf(reader, own) === 'uint') return undefined;
  const value = definedValue(reader, own);
  if (typeof value === 'bigint') return set => decided(includes(set, value) ? TRUE : FALSE);
  return opaqueValue(reader, own);
}

function cellOf(reader: Reader, expr: Expr): FoundCell | undefined {
  const type = typeOf(reader, expr);
  if (type === 'uint') return undefined;
  if (definitionOf(reader, expr)?.kind === 'upstream-status')
    return { cell: statusCell(reader), requires: TRUE, lift: signal => signal };
  const clock = expr.kind === 'call' && overloadOf(reader, expr) === 'string_to_timestamp' ? expr : undefined;
  const [text] = clock === undefined ? [] : operandsOf(reader, clock);
  // The current time is a string, which always parses.
  if (text !== undefined && pathOf(reader, text) === 'time.now') return inputCell(reader, text, 'time');
  return inputCell(reader, expr, type === 'int' ? 'int' : 'time');
}

function cellValue(reader: Reader, found: FoundCell): IntegerValue {
  return set => tested(reader, found, reader.vocabulary.atom({ kind: 'integers', cell: found.cell, set }));
}

/** Returns the cell of an integer, a moment or a duration: an input, or a value of its own. */
export function numberCell(reader: Reader, expr: Expr): FoundCell | undefined {
  const own = resolved(reader, expr);
  const type = typeOf(reader, own);
  if (!SORTS.has(type) || type === 'uint' || definedValue(reader, own) !== undefined) return undefined;
  if (own.kind === 'call' && own.function === '_?_:_') return undefined;
  return cellOf(reader, own) ?? opaqueCell(reader, own, type === 'int' ? 'int' : 'time');
}

/** A value of its own, so that tests of equal expressions are tests of one value. */
function opaqueValue(reader: Reader, expr: Expr): IntegerValue | undefined {
  const type = typeOf(reader, expr);
  return type === 'uint' ? undefined : cellValue(reader, opaqueCell(reader, expr, type === 'int' ? 'int' : 'time'));
}

/** The status of the upstream's response, as an integer. */
function statusCell({ vocabulary, universeOf }: Reader): Cell {
  const role = 'status';
  return vocabulary.cell('upstream-status', () => ({
    sort: 'int',
    steps: ['status'],
    role,
    version: '',
    universe: universeOf(role, []),
  }));
}

/** Returns the value of a constant integer or moment. */
export function constantOf(reader: Reader, expr: Expr): bigint | undefined {
  const own = resolved(reader, expr);
  const constant = reader.typed.constants.get(own.id);
  if (constant instanceof Timestamp || constant instanceof Duration)
    return BigInt(constant.seconds) * 1_000_000_000n + BigInt(constant.nanos);
  return integerConstant(reader, own);
}

type Call = Extract<Expr, { kind: 'call' }>;

function callValue(reader: Reader, call: Call): IntegerValue | undefined {
  const overload = overloadOf(reader, call) ?? '';
  const [first, second] = operandsOf(reader, call);
  switch (overload) {
    case 'conditional':
      return choiceValue(reader, call);
    case 'size_string':
    case 'string_size':
      return sizeOfString(reader, first!);
    case 'size_list':
    case 'list_size':
      return sizeOfList(reader, first!) ?? opaqueSize(reader, call);
    case 'size_map':
    case 'map_size': {
      const found = mapSize(reader, first!);
      return found === undefined ? opaqueSize(reader, call) : cellValue(reader, found);
    }
    case 'size_bytes':
    case 'bytes_size':
      return opaqueSize(reader, call);
    case 'string_to_int64':
      return parsedString(reader, first!);
    case 'string_index_of_string':
    case 'string_index_of_string_int':
    case 'string_last_index_of_string':
      return positionIn(reader, call);
    case 'add_int64':
    case 'subtract_int64':
    case 'multiply_int64':
      return arithmetic(reader, call);
    case 'modulo_int64':
      return remainder(reader, first!, second!);
    case 'negate_int64':
      return arithmeticOn(reader, first!, { factor: -1n, offset: 0n });
    default:
      return momentPart(reader, call, [first, second]);
  }
}

/** A part of a moment in UTC, or in a time zone given as an offset. */
function momentPart(
  reader: Reader,
  call: Call,
  [moment, zone]: readonly (Expr | undefined)[],
): IntegerValue | undefined {
  const [, part, zoned] = PART.exec(overloadOf(reader, call) ?? '') ?? [];
  if (part === undefined || moment === undefined) return undefined;
  const offset = zoned === undefined ? 0n : zone && offsetOf(stringConstant(reader, zone));
  // In a time zone with rules of its own, only the range of the part is known.
  if (offset === undefined) {
    const universe = { integers: [isTimePart(part) ? rangeOfPart(part) : YEARS], preferred: [] };
    return cellValue(reader, opaqueCell(reader, call, 'int', universe));
  }
  const own = resolved(reader, moment);
  const found = cellOf(reader, own) ?? opaqueCell(reader, own, 'time');
  const { vocabulary } = reader;
  if (part === 'year') {
    return set => {
      const moments = momentsInYears(set, offset);
      return tested(reader, found, vocabulary.atom({ kind: 'integers', cell: found.cell, set: moments }));
    };
  }
  if (!isTimePart(part)) return undefined;
  return set => tested(reader, found, vocabulary.atom({ kind: 'part', cell: found.cell, part, offset, set }));
}

/** A time zone may lead to the year before or after those of UTC. */
const YEARS: IntRange = [0n, 10_000n];

const PART = /^timestamp_to_([a-z]+(?:_of_[a-z]+)?(?:_1_based)?)(_with_tz|_tz)?$/;

/** Returns the offset of a time zone in ns; undefined for zones with rules of their own. */
function offsetOf(zone: string | undefined): bigint | undefined {
  if (zone === 'UTC') return 0n;
  const [, sign, hours, minutes] = OFFSET.exec(zone ?? '') ?? [];
  if (hours === undefined || minutes === undefined) return undefined;
  const size = (BigInt(hours) * 60n + BigInt(minutes)) * 60_000_000_000n;
  return sign === '-' ? -size : size;
}

const OFFSET = /^([+-])([01]\d):([0-5]\d)$/;

/** A size of what is not interpreted. */
function opaqueSize(reader: Reader, call: Call): IntegerValue {
  return cellValue(reader, opaqueCell(reader, call, 'int', { integers: [[0n, INT64[1]]], preferred: [] }));
}

function choiceValue(reader: Reader, { args }: Call): IntegerValue | undefined {
  const [yes, no] = [integerValue(reader, args[1]!), integerValue(reader, args[2]!)];
  if (yes === undefined || no === undefined) return undefined;
  const condition = reader.translate(reader, args[0]!);
  return set => choiceOf(reader.vocabulary.graph, condition, yes(set), no(set));
}

function sizeOfString(reader: Reader, operand: Expr): IntegerValue | undefined {
  const value = stringValue(reader, operand);
  const { vocabulary } = reader;
  return value && (set => value.isIn(sizeLanguage(vocabulary.language.bind(vocabulary), set)));
}

function sizeOfList(reader: Reader, operand: Expr): IntegerValue | undefined {
  const own = resolved(reader, operand);
  const { vocabulary } = reader;
  if (own.kind === 'list' && own.optionalIndices.length === 0) {
    const isFixed = own.elements.every(element => element.kind === 'literal');
    return isFixed ? set => decided(includes(set, BigInt(own.elements.length)) ? TRUE : FALSE) : undefined;
  }
  if (own.kind === 'call' && own.function === '_?_:_') {
    const [yes, no] = own.args.slice(1).map(arg => sizeOfList(reader, arg));
    if (yes === undefined || no === undefined) return undefined;
    const condition = reader.translate(reader, own.args[0]!);
    return set => choiceOf(vocabulary.graph, condition, yes(set), no(set));
  }
  if (own.kind === 'comprehension') return sizeOfKept(reader, own);
  const parts = own.kind === 'call' ? sizeOfSplit(reader, own) : undefined;
  if (parts !== undefined) return parts;
  const found = listCell(reader, own) ?? recordsCell(reader, own);
  if (found === undefined) return undefined;
  const sizes = (set: IntSet) => intersect(set, [[0n, INT64[1]]]);
  return set => tested(reader, found, vocabulary.atom({ kind: 'size', cell: found.cell, set: sizes(set) }));
}

/** How many parts a constant separator makes of a string. */
function sizeOfSplit(reader: Reader, call: Call): IntegerValue | undefined {
  if (overloadOf(reader, call) !== 'string_split_string') return undefined;
  const [text, separator] = operandsOf(reader, call);
  const constant = stringConstant(reader, separator!);
  const value = constant === undefined || constant === '' ? undefined : stringValue(reader, text!);
  if (constant === undefined || value === undefined) return undefined;
  const { vocabulary } = reader;
  const other = opaqueSize(reader, call);
  return set => {
    const language = partsLanguage(vocabulary.language.bind(vocabulary), constant, set);
    return language === undefined ? other(set) : value.isIn(language);
  };
}

/** The size of what `filter` keeps, as far as it is compared with zero. */
function sizeOfKept(reader: Reader, loop: Extract<Expr, { kind: 'comprehension' }>): IntegerValue | undefined {
  const predicate = filterPredicate(loop);
  const found = predicate && filteredRecords(reader, loop, predicate);
  if (found === undefined) return undefined;
  const { graph } = reader.vocabulary;
  const { requires, lift } = found;
  const hasSome = lift(isKept(reader, found));
  const isDecided = graph.and([requires, -lift(mayFail(reader, found))]);
  const counted = cellValue(reader, opaqueCell(reader, loop, 'int', { integers: [[1n, INT64[1]]], preferred: [] }));
  return set => {
    const none = decided(includes(set, 0n) ? TRUE : FALSE);
    const more = intersect(set, [[1n, INT64[1]]]);
    const isWhole = keyOf(more) === keyOf([[1n, INT64[1]]]);
    const some = more.length === 0 || isWhole ? decided(isWhole ? TRUE : FALSE) : counted(more);
    return provided(graph, isDecided, choiceOf(graph, decided(hasSome), some, none));
  };
}

/** Where a constant string occurs first, from a position on, or last. */
function positionIn(reader: Reader, call: Call): IntegerValue | undefined {
  const [operand, sought, start] = operandsOf(reader, call);
  const text = stringConstant(reader, sought!);
  const from = start === undefined ? 0n : integerConstant(reader, start);
  const value = text === undefined ? undefined : stringValue(reader, operand!);
  if (text === undefined || value === undefined || from === undefined || from < 0n) return undefined;
  const { vocabulary } = reader;
  const intern = vocabulary.language.bind(vocabulary);
  const isLast = overloadOf(reader, call) === 'string_last_index_of_string';
  const other = opaqueValue(reader, call);
  // From behind the end, it fails.
  const exists = from === 0n ? TRUE : value.isIn(sizeLanguage(intern, [[from, INT64[1]]])).whenTrue;
  return set => {
    const language = isLast ? lastAtLanguage(intern, text, set) : firstAtLanguage(intern, text, Number(from), set);
    return language === undefined ? other!(set) : provided(vocabulary.graph, exists, value.isIn(language));
  };
}

/** Fails for strings that are not integers. */
function parsedString(reader: Reader, operand: Expr): IntegerValue | undefined {
  const value = stringValue(reader, operand);
  const { vocabulary } = reader;
  if (value === undefined) return undefined;
  const language = (set: IntSet) => integerLanguage(vocabulary.language.bind(vocabulary), intersect(set, [INT64]));
  const isInteger = value.isIn(language([INT64])).whenTrue;
  return set => provided(vocabulary.graph, isInteger, value.isIn(language(set)));
}

function arithmetic(reader: Reader, call: Call): IntegerValue | undefined {
  const overload = overloadOf(reader, call);
  const [left, right] = operandsOf(reader, call) as [Expr, Expr];
  const [first, second] = [integerConstant(reader, left), integerConstant(reader, right)];
  const constant = second ?? first;
  if (constant === undefined) return overload === 'add_int64' ? sumOfTwo(reader, [left, right], call) : undefined;
  const operand = second === undefined ? right : left;
  if (overload === 'add_int64') return arithmeticOn(reader, operand, { factor: 1n, offset: constant });
  if (overload === 'multiply_int64') return arithmeticOn(reader, operand, { factor: constant, offset: 0n });
  if (second !== undefined) return arithmeticOn(reader, operand, { factor: 1n, offset: -second });
  return arithmeticOn(reader, operand, { factor: -1n, offset: constant });
}

/** A sum of two numbers that both vary, as far as it is compared with small numbers and neither is negative or so large that it may fail. */
function sumOfTwo(reader: Reader, operands: readonly [Expr, Expr], call: Call): IntegerValue | undefined {
  const [one, other] = operands.map(operand => integerValue(reader, operand));
  if (one === undefined || other === undefined) return undefined;
  const { graph } = reader.vocabulary;
  const parts: readonly [IntegerValue, IntegerValue] = [one, other];
  const isRead = graph.and(parts.map(part => part([INT64]).whenTrue));
  const inRange = graph.and(
    operands.map((operand, at) => (isSize(reader, operand) ? TRUE : parts[at]!([[0n, FAR]]).whenTrue)),
  );
  const unknown = inRange === TRUE ? undefined : opaqueValue(reader, call);
  return set => {
    if (set.flat().some(bound => bound > MAX_SUM && bound <= FAR)) return (unknown ?? opaqueValue(reader, call)!)(set);
    const atMost = (most: bigint) => sumAtMost(graph, parts, most);
    const within = graph.or(set.map(([first, last]) => graph.and([atMost(last), -atMost(first - 1n)])));
    const sum = provided(graph, isRead, decided(within));
    return unknown === undefined ? sum : choiceOf(graph, decided(inRange), sum, unknown(set));
  };
}

/** Returns true for sizes, which memory bounds. */
function isSize(reader: Reader, expr: Expr): boolean {
  const own = resolved(reader, expr);
  return own.kind === 'call' && SIZES.has(overloadOf(reader, own) ?? '');
}

const SIZES: ReadonlySet<string> = new Set([
  ...['size_string', 'string_size', 'size_list', 'list_size', 'size_map', 'map_size'],
]);

/** Sums of numbers up to it do not overflow. */
const FAR = 2n ** 61n;
/** Larger sums are not worth as many cases. */
const MAX_SUM = 48n;

/** Returns the signal that the sum of two numbers from zero on is at most so much. */
function sumAtMost(graph: Graph, [one, other]: readonly [IntegerValue, IntegerValue], most: bigint): Signal {
  if (most < 0n) return FALSE;
  if (most > MAX_SUM) return TRUE;
  const cases = Array.from({ length: Number(most) + 1 }, (_, at) =>
    graph.and([one([[0n, BigInt(at)]]).whenTrue, other([[0n, most - BigInt(at)]]).whenTrue]),
  );
  return graph.or(cases);
}

interface Linear {
  readonly factor: bigint;
  readonly offset: bigint;
}

/** Fails where the result is not an integer of 64 bits. */
function arithmeticOn(reader: Reader, operand: Expr, linear: Linear): IntegerValue | undefined {
  const inner = typeOf(reader, operand) === 'int' ? integerValue(reader, operand) : undefined;
  if (inner === undefined) return undefined;
  const { graph } = reader.vocabulary;
  const isInRange = inner(preimage([INT64], linear)).whenTrue;
  return set => provided(graph, isInRange, inner(preimage(intersect(set, [INT64]), linear)));
}

/** Returns the integers whose image is in the set. */
function preimage(set: IntSet, { factor, offset }: Linear): IntSet {
  if (factor === 0n) return includes(set, offset) ? [INT64] : [];
  const ranges = set.flatMap(([first, last]) => {
    const ends = [first - offset, last - offset];
    const [low, high] = factor > 0n ? [ends[0]!, ends[1]!] : [-ends[1]!, -ends[0]!];
    const size = factor > 0n ? factor : -factor;
    const range = [ceilDivide(low, size), floorDivide(high, size)] as const;
    return range[0] <= range[1] ? [range] : [];
  });
  return intersect(unionOf(ranges), [INT64]);
}

function ceilDivide(a: bigint, b: bigint): bigint {
  return -floorDivide(-a, b);
}

/** The remainder by a constant. It has the sign of the dividend. */
function remainder(reader: Reader, operand: Expr, divisor: Expr): IntegerValue | undefined {
  const modulus = integerConstant(reader, divisor);
  if (modulus === undefined || modulus === 0n || modulus > MAX_MODULUS || modulus < -MAX_MODULUS) return undefined;
  const size = modulus < 0n ? -modulus : modulus;
  const own = resolved(reader, operand);
  const found = typeOf(reader, own) === 'int' && own.kind !== 'call' ? inputCell(reader, own, 'int') : undefined;
  if (found === undefined) return undefined;
  const { vocabulary } = reader;
  return set => {
    const residues: Condition[] = [];
    for (let residue = 1n - size; residue < size; residue++) {
      if (!includes(set, residue)) continue;
      residues.push(decided(vocabulary.atom({ kind: 'residue', cell: found.cell, modulus: size, residue })));
    }
    const { whenTrue } = anyOf(vocabulary.graph, residues);
    return tested(reader, found, whenTrue);
  };
}

const MAX_MODULUS = 256n;

/** A comparison whose right side is constant. */
export interface ConstantComparison {
  readonly comparator: Comparator;
  readonly operand: Expr;
  readonly constant: Expr;
}

/** Returns the integers that compare to a bound as the operator says. */
export function setFor(comparator: Comparator, bound: bigint): IntSet {
  const [least, most] = ANY_INTEGER;
  switch (comparator) {
    case '==':
      return [[bound, bound]];
    case '!=':
      return complement([[bound, bound]], [least, most]);
    case '<':
      return between(least, bound - 1n);
    case '<=':
      return between(least, bound);
    case '>':
      return between(bound + 1n, most);
    case '>=':
      return between(bound, most);
  }
}
