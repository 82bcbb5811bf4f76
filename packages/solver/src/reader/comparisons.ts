// Comparisons with constants: of strings, numbers, addresses and members of lists.

import type { CallExpr, Expr } from '@tollgate/cel';
import { type Comparator, comparatorOf, mirrored } from '@tollgate/cel/tooling';
import {
  anyOf,
  type Condition,
  choiceOf,
  decided,
  equalityOf,
  FALSE,
  negated,
  provided,
  type Signal,
  TRUE,
} from '../logic/formula.ts';
import type { Cell } from '../theory/vocabulary.ts';
import {
  between,
  DOUBLES,
  INT64,
  type IntRange,
  type IntSet,
  intersect,
  positionOf,
  unionOf,
} from '../values/int-set.ts';
import { beforeLanguage, doubleLanguage, wordsLanguage } from '../values/language.ts';
import { cellAt, inputCell, listCell, opaqueCell, tested } from './cells.ts';
import { type ConstantComparison, constantOf, integerValue, setFor } from './integer-value.ts';
import { cellOf, locationOf } from './locations.ts';
import {
  integerConstant,
  type Location,
  operandsOf,
  overloadOf,
  type Reader,
  resolved,
  stringConstant,
  typeOf,
} from './reader-context.ts';
import { equalElements, stringValue } from './string-value.ts';
import { sumComparison, varyingComparison } from './varying-comparison.ts';

/** Reads a comparison; undefined if it is not understood. */
export function comparisonCondition(reader: Reader, call: CallExpr): Condition | undefined {
  const comparator = comparatorOf(call);
  if (comparator === undefined) return undefined;
  const [left, right] = call.args;
  if (comparator === '!=') {
    const equal = comparisonCondition(reader, { ...call, function: '_==_' });
    return equal && negated(equal);
  }
  return (
    sumComparison(reader, comparator, [left!, right!]) ??
    withConstant(reader, { comparator, operand: left!, constant: right! }) ??
    withConstant(reader, { comparator: mirrored(comparator), operand: right!, constant: left! }) ??
    (comparator === '==' ? boolEquality(reader, left!, right!) : undefined) ??
    choiceComparison(reader, call) ??
    varyingComparison(reader, comparator, [left!, right!])
  );
}

/** Reads `x in [a, b]` of values that vary; undefined if it is not understood. */
export function varyingMembership(reader: Reader, call: CallExpr): Condition | undefined {
  const [element, container] = call.args;
  const list = resolved(reader, container!);
  if (list.kind !== 'list' || list.optionalIndices.length > 0) return undefined;
  const equal = list.elements.map(one =>
    comparisonCondition(reader, { ...call, function: '_==_', args: [element!, one] }),
  );
  if (!equal.every(one => one !== undefined)) return undefined;
  const { graph } = reader.vocabulary;
  // All elements are evaluated when the list is built.
  const isRead = graph.and(equal.map(one => graph.or([one.whenTrue, one.whenFalse])));
  return provided(graph, isRead, anyOf(graph, equal));
}

/** Compares each of two values that a conditional chooses from. */
function choiceComparison(reader: Reader, call: CallExpr): Condition | undefined {
  const at = call.args.findIndex(arg => isChoice(resolved(reader, arg)));
  const choice = at < 0 ? undefined : resolved(reader, call.args[at]!);
  if (choice?.kind !== 'call') return undefined;
  const [condition, ...values] = choice.args;
  const [yes, no] = values.map(value => comparisonCondition(reader, { ...call, args: call.args.with(at, value) }));
  return yes && no && choiceOf(reader.vocabulary.graph, reader.translate(reader, condition!), yes, no);
}

function isChoice(expr: Expr): boolean {
  return expr.kind === 'call' && expr.function === '_?_:_';
}

function withConstant(reader: Reader, comparison: ConstantComparison): Condition | undefined {
  const { comparator, operand, constant } = comparison;
  const type = typeOf(reader, operand);
  if (type === 'dyn') return dynamicComparison(reader, comparison);
  if (type === 'double' || typeOf(reader, constant) === 'double') return doubleComparison(reader, comparison);
  if (type !== typeOf(reader, constant)) return undefined;
  if (type === 'string') return stringComparison(reader, comparison);
  if (type === 'list') return comparator === '==' ? listEquality(reader, operand, constant) : undefined;
  const bound = constantOf(reader, constant);
  const value = bound === undefined ? undefined : integerValue(reader, operand);
  return value?.(setFor(comparator, bound!));
}

function stringComparison(
  reader: Reader,
  { comparator, operand, constant }: ConstantComparison,
): Condition | undefined {
  const text = stringConstant(reader, constant);
  const value = text === undefined ? undefined : stringValue(reader, operand);
  if (text === undefined || value === undefined) return undefined;
  const intern = reader.vocabulary.language.bind(reader.vocabulary);
  const isBefore = () => value.isIn(beforeLanguage(intern, text));
  const isEqual = () => value.isIn(wordsLanguage(intern, [text]));
  const isNotAfter = () => value.isIn(beforeLanguage(intern, `${text}\0`));
  switch (comparator) {
    case '==':
      return isEqual();
    case '!=':
      return negated(isEqual());
    case '<':
      return isBefore();
    case '>=':
      return negated(isBefore());
    case '<=':
      return isNotAfter();
    case '>':
      return negated(isNotAfter());
  }
}

/** Compares a value whose type is not known: it is not equal to a constant of another type, and not in an order with it. */
function dynamicComparison(
  reader: Reader,
  { comparator, operand, constant }: ConstantComparison,
): Condition | undefined {
  const [own, right] = [resolved(reader, operand), resolved(reader, constant)];
  if (own.kind === 'literal' || right.kind !== 'literal') return undefined;
  const location = locationOf(reader, own);
  if (location === undefined) return undefined;
  const number = numberConstant(reader, right);
  if (number !== undefined && !Number.isNaN(number)) {
    const { condition, isNumber } = dynamicNumber(reader, location, ordered(comparator, number));
    // Only equality is defined for values of other types.
    return comparator === '==' ? condition : provided(reader.vocabulary.graph, isNumber, condition);
  }
  if (comparator !== '==') return undefined;
  const { vocabulary } = reader;
  const { literal } = right;
  const sort = literal.type === 'string' ? 'string' : literal.type === 'bool' ? 'free' : undefined;
  if (sort === undefined) return undefined;
  const found = cellAt(reader, location, sort);
  const value =
    literal.type === 'string'
      ? wordAtom(reader, found.cell, literal.value)
      : vocabulary.atom({ kind: 'free', cell: found.cell });
  const isEqual = literal.value === false ? -value : value;
  return tested(reader, found, vocabulary.graph.and([typeSignal(reader, location, sort), isEqual]));
}

/** Numbers of all types compare by their values. */
function dynamicNumber(reader: Reader, location: Location, set: IntSet) {
  const { vocabulary } = reader;
  const found = cellAt(reader, location, 'double');
  const type = typeSignal(reader, location, 'double');
  const value = vocabulary.atom({ kind: 'integers', cell: found.cell, set });
  return {
    condition: tested(reader, found, vocabulary.graph.and([type, value])),
    isNumber: vocabulary.graph.and([found.requires, found.lift(type)]),
  };
}

function wordAtom({ vocabulary }: Reader, cell: Cell, text: string): Signal {
  const language = wordsLanguage(vocabulary.language.bind(vocabulary), [text]);
  return vocabulary.atom({ kind: 'language', cell, language });
}

/** Returns the signal that holds where a value has a type. */
function typeSignal(reader: Reader, location: Location, sort: Cell['sort']): Signal {
  const place = { ...location, steps: [...location.steps, `?${sort}`], role: undefined };
  return reader.vocabulary.atom({ kind: 'free', cell: cellOf(reader, place, 'free') });
}

/** Compares a list of strings with constant ones. */
function listEquality(reader: Reader, operand: Expr, constant: Expr): Condition | undefined {
  const texts = stringsIn(reader, constant);
  if (texts === undefined) return undefined;
  const own = resolved(reader, operand);
  const { graph } = reader.vocabulary;
  const known = stringsIn(reader, own);
  if (known !== undefined) return decided(JSON.stringify(known) === JSON.stringify(texts) ? TRUE : FALSE);
  if (own.kind === 'call' && own.function === '_?_:_') {
    const [yes, no] = own.args.slice(1).map(arg => listEquality(reader, arg, constant));
    return yes && no && choiceOf(graph, reader.translate(reader, own.args[0]!), yes, no);
  }
  const found = listCell(reader, own);
  return found && tested(reader, found, graph.and(equalElements(reader, found.cell, texts)));
}

/** Returns the strings of a list literal; undefined for other expressions. */
function stringsIn(reader: Reader, expr: Expr): readonly string[] | undefined {
  const own = resolved(reader, expr);
  if (own.kind !== 'list' || own.optionalIndices.length > 0) return undefined;
  const texts = own.elements.map(element => stringConstant(reader, element));
  return texts.every(text => text !== undefined) ? texts : undefined;
}

function boolEquality(reader: Reader, left: Expr, right: Expr): Condition | undefined {
  if (typeOf(reader, left) !== 'bool' || typeOf(reader, right) !== 'bool') return undefined;
  return equalityOf(reader.vocabulary.graph, reader.translate(reader, left), reader.translate(reader, right));
}

/** Reads `x in [constants]`; undefined if it is not understood. */
export function constantMembership(reader: Reader, element: Expr, list: Expr): Condition | undefined {
  const own = resolved(reader, list);
  if (own.kind !== 'list' || own.optionalIndices.length > 0) return undefined;
  const texts = stringsIn(reader, own);
  if (texts !== undefined && typeOf(reader, element) === 'string') {
    const { vocabulary } = reader;
    return stringValue(reader, element)?.isIn(wordsLanguage(vocabulary.language.bind(vocabulary), texts));
  }
  const type = typeOf(reader, element);
  if (type === 'double') {
    const bounds = own.elements.map(one => numberConstant(reader, one));
    const value = doubleValue(reader, element);
    const found = bounds.map(bound => bound !== undefined && !Number.isNaN(bound) && value(ordered('==', bound)));
    return found.every(one => one !== false) ? anyOf(reader.vocabulary.graph, found) : undefined;
  }
  if (type !== 'int' || !own.elements.every(one => typeOf(reader, one) === type)) return undefined;
  const numbers = own.elements.map(one => constantOf(reader, one));
  if (!numbers.every(one => one !== undefined)) return undefined;
  return integerValue(reader, element)?.(unionOf(numbers.map(one => [one, one] as const)));
}

/** Compares a double, or an integer, with a constant double; undefined if it is not understood. */
function doubleComparison(
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

/** Reads a double: an input, or a value of its own. Returns the condition that its position is in a set. */
function doubleValue(reader: Reader, expr: Expr): (set: IntSet) => Condition {
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
