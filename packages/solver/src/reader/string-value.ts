import type { Expr } from '@tollgate/cel';
import { type Condition, choiceOf, decided, FALSE, TRUE } from '../logic/formula.ts';
import { addressNumber, INT64, type IntSet, includes, unionOf } from '../values/int-set.ts';
import type { Language } from '../values/language.ts';
import { appending, preimageLanguage, prepending, type StringFunction } from '../values/preimages.ts';
import { type FoundCell, inputCell, listCell, opaqueCell, tested } from './cells.ts';
import { hasElements } from './locations.ts';
import {
  bindingOf,
  definedValue,
  integerConstant,
  operandsOf,
  overloadOf,
  type Reader,
  resolved,
  typeOf,
} from './reader-context.ts';

/** A string that can be tested. */
interface StringValue {
  /** Returns the condition that it belongs to a language. */
  readonly isIn: (language: Language) => Condition;
  /** Returns the condition that it is one of these addresses; absent where that is not modelled. */
  readonly isAddress?: (set: IntSet) => Condition;
}

/** Reads an expression as a string; undefined if it is not understood. */
export function stringValue(reader: Reader, expr: Expr): StringValue | undefined {
  const own = resolved(reader, expr);
  if (typeOf(reader, own) !== 'string') return undefined;
  const binding = bindingOf(reader, own);
  if (binding?.kind === 'element')
    return cellValue(reader, { cell: binding.cell, requires: TRUE, lift: signal => signal });
  if (own.kind === 'literal') return own.literal.type === 'string' ? constantValue(own.literal.value) : undefined;
  const value = definedValue(reader, own);
  if (typeof value === 'string') return constantValue(value);
  const found = inputCell(reader, own, 'string');
  if (found !== undefined) return cellValue(reader, found);
  return (own.kind === 'call' ? callValue(reader, own) : undefined) ?? opaqueValue(reader, own);
}

/** A value of its own, so that tests of equal expressions are tests of one value. */
function opaqueValue(reader: Reader, expr: Expr): StringValue {
  return cellValue(reader, opaqueCell(reader, expr, 'string'));
}

function constantValue(text: string): StringValue {
  const known = (holds: boolean) => decided(holds ? TRUE : FALSE);
  return {
    isIn: language => known(language.test(text)),
    isAddress: set => known(includes(set, addressNumber(text))),
  };
}

function cellValue(reader: Reader, found: FoundCell): StringValue {
  const { cell } = found;
  const { vocabulary } = reader;
  return {
    isIn: language => tested(reader, found, vocabulary.atom({ kind: 'language', cell, language })),
    isAddress: set => tested(reader, found, vocabulary.atom({ kind: 'addresses', cell, set })),
  };
}

type Call = Extract<Expr, { kind: 'call' }>;

function callValue(reader: Reader, call: Call): StringValue | undefined {
  if (call.function === '_?_:_') return choiceValue(reader, call);
  if (call.function === '_[_]') return elementValue(reader, call);
  const [first, second] = operandsOf(reader, call);
  const overload = overloadOf(reader, call);
  if (overload === 'add_string') return concatenation(reader, first!, second!);
  if (overload === 'string_to_string') return stringValue(reader, first!);
  if (overload === 'int64_to_string') return numberText(reader, call, first!);
  const mapping = reader.mappings.get(overload ?? '');
  return mapping && mapped(reader, first!, mapping);
}

/** The decimal form of an integer, as far as it is compared with strings or has few values; else a value of its own. */
function numberText(reader: Reader, call: Call, operand: Expr): StringValue | undefined {
  const number = reader.integerValue(reader, operand);
  if (number === undefined) return undefined;
  const { universe } = inputCell(reader, operand, 'int')?.cell ?? {};
  const values = universe?.isUsual === true ? undefined : valuesOf(universe?.integers);
  const other = opaqueValue(reader, call);
  return {
    isIn: language => {
      const texts = values?.map(String) ?? language.definition.words;
      const inside = texts?.filter(text => language.test(text) && isDecimal(text)).map(BigInt);
      return inside === undefined ? other.isIn(language) : number(unionOf(inside.map(one => [one, one])));
    },
  };
}

/** Returns true for what `string` makes of integers. */
function isDecimal(text: string): boolean {
  return /^(?:0|-?[1-9]\d{0,18})$/.test(text) && includes([INT64], BigInt(text));
}

/** Returns all integers of a set; undefined if there are many. */
function valuesOf(set: IntSet | undefined): readonly bigint[] | undefined {
  const [range, ...others] = set ?? [];
  if (range === undefined || others.length > 0 || range[1] - range[0] > MAX_VALUES) return undefined;
  return Array.from({ length: Number(range[1] - range[0]) + 1 }, (_, at) => range[0] + BigInt(at));
}

const MAX_VALUES = 1000n;

function choiceValue(reader: Reader, { args }: Call): StringValue | undefined {
  const [yes, no] = [stringValue(reader, args[1]!), stringValue(reader, args[2]!)];
  if (yes === undefined || no === undefined) return undefined;
  const condition = reader.translate(reader, args[0]!);
  return { isIn: language => choiceOf(reader.vocabulary.graph, condition, yes.isIn(language), no.isIn(language)) };
}

function concatenation(reader: Reader, first: Expr, second: Expr): StringValue | undefined {
  const [before, after] = [resolved(reader, first), resolved(reader, second)];
  if (after.kind === 'literal' && after.literal.type === 'string') {
    return mapped(reader, first, appending(after.literal.value));
  }
  if (before.kind !== 'literal' || before.literal.type !== 'string') return undefined;
  return mapped(reader, second, prepending(before.literal.value));
}

function mapped(reader: Reader, operand: Expr, fn: StringFunction): StringValue | undefined {
  const inner = stringValue(reader, operand);
  const { vocabulary } = reader;
  const intern = vocabulary.language.bind(vocabulary);
  return inner && { isIn: language => inner.isIn(preimageLanguage(intern, language, fn)) };
}

/** An element of a list at a constant index. */
function elementValue(reader: Reader, { args }: Call): StringValue | undefined {
  const [list, index] = [resolved(reader, args[0]!), integerConstant(reader, args[1]!)];
  if (index === undefined || index < 0n || index > MAX_INDEX) return undefined;
  return elementOf(reader, list, Number(index));
}

const MAX_INDEX = 100n;

function elementOf(reader: Reader, list: Expr, index: number): StringValue | undefined {
  const { graph } = reader.vocabulary;
  if (list.kind === 'call' && list.function === '_?_:_') {
    const [yes, no] = list.args.slice(1).map(arg => elementOf(reader, resolved(reader, arg), index));
    if (yes === undefined || no === undefined) return undefined;
    const condition = reader.translate(reader, list.args[0]!);
    return { isIn: language => choiceOf(graph, condition, yes.isIn(language), no.isIn(language)) };
  }
  if (list.kind === 'list' && list.optionalIndices.length === 0) {
    if (!list.elements.every(element => element.kind === 'literal')) return undefined;
    const element = list.elements[index];
    return element === undefined ? NOTHING : stringValue(reader, element);
  }
  const found = listCell(reader, list);
  if (found === undefined) return undefined;
  const { cell, requires, lift } = found;
  const exists = graph.and([requires, lift(hasElements(reader, cell, BigInt(index + 1)))]);
  return {
    isIn: language =>
      tested(reader, { requires: exists, lift }, reader.vocabulary.atom({ kind: 'element', cell, index, language })),
  };
}

/** Reading it fails. */
const NOTHING: StringValue = { isIn: () => ({ whenTrue: FALSE, whenFalse: FALSE }) };
