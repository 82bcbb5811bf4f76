// Loops over lists: `exists` and `all`, and what `filter` keeps of lists of objects.

import type { Expr } from '@tollgate/cel';
import {
  ALWAYS_FALSE,
  ALWAYS_TRUE,
  allOf,
  anyOf,
  type Condition,
  choiceOf,
  FALSE,
  negated,
  provided,
  type Signal,
  TRUE,
} from '../logic/formula.ts';
import { type Cell, cellsOf } from '../theory/vocabulary.ts';
import { INT64 } from '../values/int-set.ts';
import { complementLanguage, intersectionLanguage, type Language, sizeLanguage } from '../values/language.ts';
import { listCell, recordsCell } from './cells.ts';
import { elementOf } from './locations.ts';
import { type Location, type Reader, resolved, withBinding } from './reader-context.ts';

type ComprehensionExpr = Extract<Expr, { kind: 'comprehension' }>;

/** Loops over longer lists are not unrolled; for nested loops, the product counts. */
const MAX_ELEMENTS = 512;

/** Reads the binding of a local name, `exists` and `all`; undefined for other loops. */
export function loopCondition(reader: Reader, loop: ComprehensionExpr): Condition | undefined {
  const range = resolved(reader, loop.iterRange);
  if (range.kind === 'list' && range.elements.length === 0 && quantifierOf(loop) === undefined) {
    const inside = withBinding(reader, loop.id, loop.accuVar, { kind: 'expression', expr: loop.accuInit });
    return reader.translate(inside, loop.result);
  }
  const quantifier = quantifierOf(loop);
  if (quantifier === undefined || loop.iterVar2 !== undefined) return undefined;
  return quantified(reader, { loop, ...quantifier }, range);
}

interface Quantified {
  readonly loop: ComprehensionExpr;
  readonly isAll: boolean;
  readonly predicate: Expr;
}

function quantified(reader: Reader, quantifier: Quantified, range: Expr): Condition | undefined {
  const { graph } = reader.vocabulary;
  if (range.kind === 'list') return unrolled(reader, quantifier, range);
  if (range.kind === 'call' && range.function === '_?_:_') {
    const [yes, no] = range.args.slice(1).map(arg => quantified(reader, quantifier, resolved(reader, arg)));
    return yes && no && choiceOf(graph, reader.translate(reader, range.args[0]!), yes, no);
  }
  return overRecords(reader, quantifier) ?? overStrings(reader, quantifier, range);
}

/** True if some element makes it so, and false if all do; for `all`, the other way round. */
function overRecords(reader: Reader, { loop, isAll, predicate }: Quantified): Condition | undefined {
  const found = filteredRecords(reader, loop, predicate);
  if (found === undefined) return undefined;
  const { vocabulary } = reader;
  const { list: cell, requires, lift } = found;
  const [one, all] = isAll ? [found.whenFalse, found.whenTrue] : [found.whenTrue, found.whenFalse];
  const some = (formula: Signal) => lift(vocabulary.atom({ kind: 'some-record', cell, formula }));
  const exists = { whenTrue: some(one), whenFalse: -some(-all) };
  return provided(vocabulary.graph, requires, isAll ? negated(exists) : exists);
}

/** As {@link overRecords}. */
function overStrings(reader: Reader, { loop, isAll, predicate }: Quantified, range: Expr): Condition | undefined {
  const found = listCell(reader, range);
  if (found === undefined) return undefined;
  const { vocabulary } = reader;
  const { cell, requires, lift } = found;
  const key = `element:${cell.id}:${loop.id}:${vocabulary.unique()}`;
  const element = vocabulary.cell(key, () => ({ ...cell, sort: 'string' }));
  const inside = withBinding(reader, loop.id, loop.iterVar, { kind: 'element', cell: element });
  const { whenTrue, whenFalse } = reader.translate(inside, predicate);
  const one = languageOf(reader, isAll ? whenFalse : whenTrue, element);
  const other = languageOf(reader, isAll ? -whenTrue : -whenFalse, element);
  if (one === undefined || other === undefined) return undefined;
  const some = (language: Language) => lift(vocabulary.atom({ kind: 'some', cell, language }));
  const exists = { whenTrue: some(one), whenFalse: -some(other) };
  return provided(vocabulary.graph, requires, isAll ? negated(exists) : exists);
}

/** The elements must not fail, because all are evaluated when the list is built. */
function unrolled(
  reader: Reader,
  { loop, isAll, predicate }: Quantified,
  { elements, optionalIndices }: Extract<Expr, { kind: 'list' }>,
): Condition | undefined {
  const repeats = reader.repeats * elements.length;
  if (repeats > MAX_ELEMENTS || optionalIndices.length > 0) return undefined;
  if (elements.length === 0) return isAll ? ALWAYS_TRUE : ALWAYS_FALSE;
  if (!elements.every(element => element.kind === 'literal')) return undefined;
  const conditions = elements.map(expr => {
    const inside = withBinding({ ...reader, repeats }, loop.id, loop.iterVar, { kind: 'expression', expr });
    return reader.translate(inside, predicate);
  });
  const { graph } = reader.vocabulary;
  return isAll ? allOf(graph, conditions) : anyOf(graph, conditions);
}

/** Returns the strings for which a formula over one cell holds; undefined if it reads others. */
function languageOf(reader: Reader, signal: Signal, cell: Cell): Language | undefined {
  const { vocabulary } = reader;
  const intern = vocabulary.language.bind(vocabulary);
  if (signal === TRUE) return sizeLanguage(intern, [[0n, INT64[1]]]);
  if (signal === FALSE) return sizeLanguage(intern, []);
  if (signal < 0) {
    const inner = languageOf(reader, -signal, cell);
    return inner && complementLanguage(intern, inner);
  }
  const gate = vocabulary.graph.gateOf(signal);
  if (gate.kind === 'and') {
    const parts = gate.inputs.map(input => languageOf(reader, input, cell));
    return parts.every(part => part !== undefined) ? intersectionLanguage(intern, parts) : undefined;
  }
  const meaning = vocabulary.meaningOf(signal);
  return meaning.cell === cell && meaning.kind === 'language' ? meaning.language : undefined;
}

/** Returns the predicate of a loop that `all` or `exists` expands to. */
function quantifierOf({ accuVar, accuInit, loopStep, result }: ComprehensionExpr) {
  if (accuInit.kind !== 'literal' || loopStep.kind !== 'call') return undefined;
  const [accumulated, predicate] = loopStep.args;
  if (accumulated?.kind !== 'ident' || accumulated.name !== accuVar || predicate === undefined) return undefined;
  if (result.kind !== 'ident' || result.name !== accuVar) return undefined;
  const start = accuInit.literal.value;
  if (loopStep.function === '_||_' && start === false) return { isAll: false, predicate };
  return loopStep.function === '_&&_' && start === true ? { isAll: true, predicate } : undefined;
}

type Loop = Extract<Expr, { kind: 'comprehension' }>;

/** A list of objects, and when a predicate about its elements is true and false. */
interface FilteredRecords {
  readonly list: Cell;
  readonly element: Location;
  readonly whenTrue: Signal;
  readonly whenFalse: Signal;
  /** As of the list. */
  readonly requires: Signal;
  readonly lift: (signal: Signal) => Signal;
}

/** Reads a predicate about the elements of a list of objects; undefined if it also reads anything else. */
export function filteredRecords(reader: Reader, loop: Loop, predicate: Expr): FilteredRecords | undefined {
  const range = resolved(reader, loop.iterRange);
  const found = recordsCell(reader, range);
  const type = reader.typed.types[range.id];
  if (found === undefined || type?.kind !== 'list') return undefined;
  const { cell: list, requires, lift } = found;
  const element = elementOf(list, type.element);
  const inside = withBinding(reader, loop.id, loop.iterVar, { kind: 'record', location: element });
  const { whenTrue, whenFalse } = reader.translate(inside, predicate);
  if (!isAbout(reader, whenTrue, list) || !isAbout(reader, whenFalse, list)) return undefined;
  return { list, element, whenTrue, whenFalse, requires, lift };
}

/** Returns true if a formula reads nothing but the fields of an element of the list. */
function isAbout(reader: Reader, signal: Signal, list: Cell): boolean {
  const { graph } = reader.vocabulary;
  const gate = graph.gateOf(signal);
  if (gate.kind === 'and') return gate.inputs.every(input => isAbout(reader, input, list));
  return gate.kind === 'constant' || cellsOf(reader.vocabulary.meaningOf(signal)).every(cell => cell.list === list);
}

/** Returns the predicate of a loop that `filter` expands to. */
export function filterPredicate({ accuVar, accuInit, iterVar, loopStep, result }: Loop): Expr | undefined {
  const isName = (expr: Expr | undefined, name: string) => expr?.kind === 'ident' && expr.name === name;
  if (accuInit.kind !== 'list' || accuInit.elements.length > 0 || !isName(result, accuVar)) return undefined;
  if (loopStep.kind !== 'call' || loopStep.function !== '_?_:_') return undefined;
  const [predicate, kept, dropped] = loopStep.args;
  if (kept?.kind !== 'call' || kept.function !== '_+_' || !isName(dropped, accuVar)) return undefined;
  const [before, added] = kept.args;
  const isKept = isName(before, accuVar) && added?.kind === 'list' && added.elements.length === 1;
  return isKept && isName(added.elements[0], iterVar) ? predicate : undefined;
}

/** Returns the first element that `filter` keeps. Reading it fails if there is none, or if the predicate fails for any element. */
export function firstKept(reader: Reader, loop: Loop): Location | undefined {
  const predicate = filterPredicate(loop);
  const found = predicate && filteredRecords(reader, loop, predicate);
  if (found === undefined) return undefined;
  const { vocabulary } = reader;
  const { list, element, whenTrue: filter, requires, lift } = found;
  return {
    ...element,
    requires: vocabulary.graph.and([requires, lift(isKept(reader, found)), -lift(mayFail(reader, found))]),
    lift: formula => lift(vocabulary.atom({ kind: 'first-record', cell: list, filter, formula })),
  };
}

/** Returns the signal that holds where `filter` keeps some element. */
export function isKept({ vocabulary }: Reader, { list, whenTrue }: FilteredRecords): Signal {
  return vocabulary.atom({ kind: 'some-record', cell: list, formula: whenTrue });
}

/** Returns the signal that holds where the predicate fails for some element. */
export function mayFail({ vocabulary }: Reader, { list, whenTrue, whenFalse }: FilteredRecords): Signal {
  const formula = vocabulary.graph.and([-whenTrue, -whenFalse]);
  return vocabulary.atom({ kind: 'some-record', cell: list, formula });
}
