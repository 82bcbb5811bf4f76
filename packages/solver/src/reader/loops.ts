import type { Expr } from '@tollgate/cel';
import { listCell } from '../inputs/cells.ts';
import { type Reader, resolved, withBinding } from '../inputs/reader-context.ts';
import {
  ALWAYS_FALSE,
  ALWAYS_TRUE,
  allOf,
  anyOf,
  type Condition,
  choiceOf,
  negated,
  provided,
} from '../logic/condition.ts';
import { FALSE, type Signal, TRUE } from '../logic/graph.ts';
import type { Language } from '../strings/language.ts';
import { complementLanguage, intersectionLanguage, sizeLanguage } from '../strings/languages.ts';
import type { Cell } from '../theory/vocabulary.ts';
import { INT64 } from '../values/int-set.ts';
import { filteredRecords } from './records.ts';

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
