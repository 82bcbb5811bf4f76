import type { Expr } from '@tollgate/cel';
import { type FoundCell, inputCell, isSameValue, listCell } from '../inputs/cells.ts';
import { opaqueCell } from '../inputs/opaque.ts';
import { hasElements } from '../inputs/presence.ts';
import {
  bindingOf,
  definedValue,
  integerConstant,
  type Reader,
  resolved,
  stringConstant,
  typeOf,
} from '../inputs/reader-context.ts';
import { ALWAYS_FAILS, type Condition, choiceOf, decided, provided } from '../logic/condition.ts';
import { type Signal, TRUE } from '../logic/graph.ts';
import { wordsLanguage } from '../strings/languages.ts';
import type { Slot } from '../theory/vocabulary.ts';
import { DOUBLES } from '../values/doubles.ts';
import { type Comparator, setFor } from './comparator.ts';
import { differenceIn, isVaryingSum, linearValue } from './linear-value.ts';

/** Compares two values that both vary; undefined if it is not understood. */
export function varyingComparison(
  reader: Reader,
  comparator: Comparator,
  [left, right]: readonly [Expr, Expr],
): Condition | undefined {
  const type = typeOf(reader, left);
  if (type !== typeOf(reader, right)) return undefined;
  if (type === 'string') return comparator === '==' ? equality(reader, left, right) : undefined;
  return type === 'double' ? doubles(reader, comparator, [left, right]) : numbers(reader, comparator, [left, right]);
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

function equality(reader: Reader, left: Expr, right: Expr): Condition | undefined {
  return forEachString(reader, left, a => forEachString(reader, right, b => stringsEqual(reader, a, b)));
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

function sameAtom({ vocabulary }: Reader, a: Slot, b: Slot): Signal {
  const isOrdered = a.cell.id < b.cell.id || (a.cell === b.cell && (a.index ?? 0) < (b.index ?? 0));
  const [one, other] = isOrdered ? [a, b] : [b, a];
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
  return operands.some(operand => isVaryingSum(reader, operand)) ? numbers(reader, comparator, operands) : undefined;
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
