import type { CallExpr, Expr } from '@tollgate/cel';
import { cellAt, listCell, tested } from '../inputs/cells.ts';
import { cellOf, locationOf } from '../inputs/locations.ts';
import { type Location, type Reader, resolved, stringConstant, typeOf } from '../inputs/reader-context.ts';
import { anyOf, type Condition, choiceOf, decided, equalityOf, negated, provided } from '../logic/condition.ts';
import { FALSE, type Signal, TRUE } from '../logic/graph.ts';
import { beforeLanguage, wordsLanguage } from '../strings/languages.ts';
import type { Cell } from '../theory/vocabulary.ts';
import { type IntSet, unionOf } from '../values/int-set.ts';
import { type Comparator, type ConstantComparison, setFor } from './comparator.ts';
import { doubleComparison, doubleValue, numberConstant, ordered } from './double-value.ts';
import { constantOf, integerValue } from './integer-value.ts';
import { stringValue } from './string-value.ts';
import { sumComparison, varyingComparison } from './varying.ts';

const COMPARATORS: Readonly<Record<string, Comparator>> = {
  '_==_': '==',
  '_!=_': '!=',
  '_<_': '<',
  '_<=_': '<=',
  '_>_': '>',
  '_>=_': '>=',
};

const MIRRORED: Readonly<Record<Comparator, Comparator>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/** Reads a comparison; undefined if it is not understood. */
export function comparisonCondition(reader: Reader, call: CallExpr): Condition | undefined {
  const comparator = COMPARATORS[call.function];
  if (comparator === undefined) return undefined;
  const [left, right] = call.args;
  if (comparator === '!=') {
    const equal = comparisonCondition(reader, { ...call, function: '_==_' });
    return equal && negated(equal);
  }
  return (
    sumComparison(reader, comparator, [left!, right!]) ??
    withConstant(reader, { comparator, operand: left!, constant: right! }) ??
    withConstant(reader, { comparator: MIRRORED[comparator], operand: right!, constant: left! }) ??
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
  return found && tested(reader, found, graph.and(elementsEqual(reader, found.cell, texts)));
}

function elementsEqual(
  reader: Reader,
  cell: NonNullable<ReturnType<typeof listCell>>['cell'],
  texts: readonly string[],
) {
  const { vocabulary } = reader;
  const size = BigInt(texts.length);
  const intern = vocabulary.language.bind(vocabulary);
  const elements = texts.map((text, index) =>
    vocabulary.atom({ kind: 'element', cell, index, language: wordsLanguage(intern, [text]) }),
  );
  return [vocabulary.atom({ kind: 'size', cell, set: [[size, size]] }), ...elements];
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
