import type { Expr } from '@tollgate/cel';
import { type Condition, choiceOf, decided, FALSE, provided, TRUE } from '../logic/formula.ts';
import { addressNumber, INT64, type IntSet, includes, unionOf } from '../values/int-set.ts';
import { halvesOf, type Language, wordsLanguage } from '../values/language.ts';
import { appending, preimageLanguage, prepending, type StringFunction } from '../values/preimages.ts';
import {
  characterAt,
  cutting,
  type PartialFunction,
  replacing,
  splitAt,
  TRIMMING,
} from '../values/string-functions.ts';
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
  stringConstant,
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
  if (overload === 'add_string') return concatenation(reader, call, [first!, second!]);
  if (overload === 'list_join_string') return joinedList(reader, call);
  if (overload === 'string_to_string') return stringValue(reader, first!);
  if (overload === 'int64_to_string') return numberText(reader, call, first!);
  const mapping = reader.mappings.get(overload ?? '') ?? functionOf(reader, call);
  return mapping && mapped(reader, first!, mapping);
}

/** Returns the function of its first operand that a call with constants is; undefined for others. */
function functionOf(reader: Reader, call: Call): StringFunction | PartialFunction | undefined {
  const [, ...constants] = operandsOf(reader, call);
  const [text, other] = constants.map(one => stringConstant(reader, one));
  const [position, end] = constants.map(one => positionOf(reader, one));
  switch (overloadOf(reader, call)) {
    case 'string_trim':
      return TRIMMING;
    case 'string_replace_string_string':
      return text === undefined || other === undefined ? undefined : replacing(text, other);
    case 'string_char_at_int':
      return position === undefined ? undefined : characterAt(position);
    case 'string_substring_int':
      return position === undefined ? undefined : cutting(position);
    case 'string_substring_int_int':
      return position === undefined || end === undefined ? undefined : cutting(position, end);
    default:
      return undefined;
  }
}

function positionOf(reader: Reader, expr: Expr): number | undefined {
  const position = integerConstant(reader, expr);
  return position !== undefined && position >= 0n && position <= MAX_INDEX ? Number(position) : undefined;
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

function concatenation(reader: Reader, call: Call, [first, second]: readonly [Expr, Expr]): StringValue | undefined {
  const [before, after] = [resolved(reader, first), resolved(reader, second)];
  if (after.kind === 'literal' && after.literal.type === 'string') {
    return mapped(reader, first, appending(after.literal.value));
  }
  if (before.kind === 'literal' && before.literal.type === 'string')
    return mapped(reader, second, prepending(before.literal.value));
  return joined(reader, [before, after], opaqueCell(reader, call, 'string'));
}

/**
 * Two strings that both vary: the first leads the automaton of a language to one of its states, from which the second goes on. A value of its
 * own where that automaton is large or does not tell all.
 */
function joined(reader: Reader, operands: readonly [Expr, Expr], other: FoundCell): StringValue | undefined {
  const [first, second] = operands.map(operand => stringValue(reader, operand));
  if (first === undefined || second === undefined) return undefined;
  const { vocabulary } = reader;
  const { graph } = vocabulary;
  const intern = vocabulary.language.bind(vocabulary);
  return {
    isIn: language => {
      const halves = halvesOf(intern, language);
      if (halves === undefined) return cellValue(reader, other).isIn(language);
      const ways = halves.map(([before, after]) => [first.isIn(before).whenTrue, second.isIn(after)] as const);
      return {
        whenTrue: graph.or(ways.map(([reached, rest]) => graph.and([reached, rest.whenTrue]))),
        whenFalse: graph.or(ways.map(([reached, rest]) => graph.and([reached, rest.whenFalse]))),
      };
    },
  };
}

function mapped(reader: Reader, operand: Expr, fn: StringFunction | PartialFunction): StringValue | undefined {
  const inner = stringValue(reader, operand);
  if (inner === undefined) return undefined;
  const { vocabulary } = reader;
  const intern = vocabulary.language.bind(vocabulary);
  const isIn = (language: Language) => inner.isIn(preimageLanguage(intern, language, fn));
  if (!('domain' in fn)) return { isIn };
  const exists = inner.isIn(fn.domain(intern)).whenTrue;
  return { isIn: language => provided(vocabulary.graph, exists, isIn(language)) };
}

/** The strings of a list with a constant between them, as far as they are compared with strings; else a value of its own. */
function joinedList(reader: Reader, call: Call): StringValue | undefined {
  const [list, between] = operandsOf(reader, call);
  const separator = stringConstant(reader, between!);
  const found = separator === undefined || separator === '' ? undefined : listCell(reader, list!);
  if (separator === undefined || found === undefined) return undefined;
  const { graph } = reader.vocabulary;
  const other = opaqueValue(reader, call);
  return {
    isIn: language => {
      const ways = language.definition.words?.map(word => listsJoinedTo(word, separator));
      if (!ways?.every(way => way !== undefined)) return other.isIn(language);
      return tested(
        reader,
        found,
        graph.or(ways.flat().map(texts => graph.and(equalElements(reader, found.cell, texts)))),
      );
    },
  };
}

/** Returns the lists of which a string is made up, which may contain the separator; undefined if there are many. */
function listsJoinedTo(word: string, separator: string): readonly (readonly string[])[] | undefined {
  const parts = word.split(separator);
  if (parts.length > MAX_JOINED) return undefined;
  const lists = parts
    .slice(1)
    .reduce<readonly (readonly string[])[]>(
      (all, part) => all.flatMap(list => [[...list, part], list.with(-1, `${list.at(-1)}${separator}${part}`)]),
      [[parts[0]!]],
    );
  return word === '' ? [[], ...lists] : lists;
}

/** The number of lists doubles with each separator. */
const MAX_JOINED = 6;

/** Returns the signals that a list has exactly these elements. */
export function equalElements({ vocabulary }: Reader, cell: FoundCell['cell'], texts: readonly string[]) {
  const size = BigInt(texts.length);
  const intern = vocabulary.language.bind(vocabulary);
  const elements = texts.map((text, index) =>
    vocabulary.atom({ kind: 'element', cell, index, language: wordsLanguage(intern, [text]) }),
  );
  return [vocabulary.atom({ kind: 'size', cell, set: [[size, size]] }), ...elements];
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
    return element === undefined ? FAILING_STRING : stringValue(reader, element);
  }
  const part = list.kind === 'call' ? splitPart(reader, list, index) : undefined;
  if (part !== undefined) return part;
  const found = listCell(reader, list);
  if (found === undefined) return undefined;
  const { cell, requires, lift } = found;
  const exists = graph.and([requires, lift(hasElements(reader, cell, BigInt(index + 1)))]);
  return {
    isIn: language =>
      tested(reader, { requires: exists, lift }, reader.vocabulary.atom({ kind: 'element', cell, index, language })),
  };
}

/** One of the parts between constant separators. */
function splitPart(reader: Reader, call: Call, index: number): StringValue | undefined {
  if (overloadOf(reader, call) !== 'string_split_string') return undefined;
  const [text, separator] = operandsOf(reader, call);
  const constant = stringConstant(reader, separator!);
  const part = constant === undefined ? undefined : splitAt(constant, index);
  return part && mapped(reader, text!, part);
}

/** Reading it fails. */
const FAILING_STRING: StringValue = { isIn: () => ({ whenTrue: FALSE, whenFalse: FALSE }) };
