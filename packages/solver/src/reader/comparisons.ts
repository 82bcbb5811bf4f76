import type { CallExpr, Expr } from '@tollgate/cel';
import { type Condition, choiceOf, decided, equalityOf, negated } from '../logic/condition.ts';
import { FALSE, TRUE } from '../logic/graph.ts';
import { beforeLanguage, wordsLanguage } from '../strings/languages.ts';
import { unionOf } from '../values/int-set.ts';
import { listCell, tested } from './cells.ts';
import { type Comparator, type ConstantComparison, setFor } from './comparator.ts';
import { doubleComparison } from './double-value.ts';
import { constantOf, integerValue } from './integer-value.ts';
import { type Reader, resolved, stringConstant, typeOf } from './reader-context.ts';
import { stringValue } from './string-value.ts';

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
    withConstant(reader, { comparator, operand: left!, constant: right! }) ??
    withConstant(reader, { comparator: MIRRORED[comparator], operand: right!, constant: left! }) ??
    (comparator === '==' ? boolEquality(reader, left!, right!) : undefined)
  );
}

function withConstant(reader: Reader, comparison: ConstantComparison): Condition | undefined {
  const { comparator, operand, constant } = comparison;
  const type = typeOf(reader, operand);
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
  if (type !== 'int' || !own.elements.every(one => typeOf(reader, one) === type)) return undefined;
  const numbers = own.elements.map(one => constantOf(reader, one));
  if (!numbers.every(one => one !== undefined)) return undefined;
  return integerValue(reader, element)?.(unionOf(numbers.map(one => [one, one] as const)));
}
