import type { Expr } from '@tollgate/cel';
import { recordsCell } from '../inputs/cells.ts';
import { elementOf } from '../inputs/locations.ts';
import { type Location, type Reader, resolved, withBinding } from '../inputs/reader-context.ts';
import type { Signal } from '../logic/graph.ts';
import { type Cell, cellsOf } from '../theory/vocabulary.ts';

type ComprehensionExpr = Extract<Expr, { kind: 'comprehension' }>;

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
export function filteredRecords(reader: Reader, loop: ComprehensionExpr, predicate: Expr): FilteredRecords | undefined {
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
export function filterPredicate({ accuVar, accuInit, iterVar, loopStep, result }: ComprehensionExpr): Expr | undefined {
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
export function firstKept(reader: Reader, loop: ComprehensionExpr): Location | undefined {
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
