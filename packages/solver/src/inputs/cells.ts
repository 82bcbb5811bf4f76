import type { Expr } from '@tollgate/cel';
import { type Condition, provided } from '../logic/condition.ts';
import type { Signal } from '../logic/graph.ts';
import type { Cell } from '../theory/vocabulary.ts';
import { cellOf, locationOf } from './locations.ts';
import { opaqueCell } from './opaque.ts';
import { type Location, type Reader, resolved } from './reader-context.ts';

/** A cell, the signal that holds where reading it does not fail, and what signals about it say about the exchange. */
export interface FoundCell extends Pick<Location, 'requires' | 'lift'> {
  readonly cell: Cell;
}

/** Returns the cell of an input, such as `req.Method` or `req.Headers['X']`; undefined for other expressions. */
export function inputCell(reader: Reader, expr: Expr, sort: Cell['sort']): FoundCell | undefined {
  const found = locationOf(reader, expr);
  return found && cellAt(reader, found, sort);
}

/** Returns the cell of what is at a location. */
export function cellAt(reader: Reader, location: Location, sort: Cell['sort']): FoundCell {
  const { requires, lift } = location;
  return { cell: cellOf(reader, location, sort), requires, lift };
}

/** Returns true if two are the same value, and not that of different elements of a list. */
export function isSameValue({ vocabulary }: Reader, a: FoundCell, b: FoundCell): boolean {
  if (a.cell !== b.cell) return false;
  const any = vocabulary.atom({ kind: 'free', cell: a.cell });
  return a.cell.list === undefined || a.lift(any) === b.lift(any);
}

/** Returns the condition that a signal about a cell holds; it fails where the cell cannot be read. */
export function tested({ vocabulary }: Reader, { requires, lift }: Omit<FoundCell, 'cell'>, signal: Signal): Condition {
  return provided(vocabulary.graph, requires, { whenTrue: lift(signal), whenFalse: lift(-signal) });
}

/** Returns the list of strings that an expression is, and when reading it does not fail. */
export function listCell(reader: Reader, expr: Expr): FoundCell | undefined {
  const own = resolved(reader, expr);
  const type = reader.typed.types[own.id];
  if (type?.kind !== 'list' || type.element.kind !== 'string') return undefined;
  const found = inputCell(reader, own, 'list');
  if (found !== undefined || !isComputed(own)) return found;
  return { ...opaqueCell(reader, own, 'list'), lift: signal => signal };
}

/** Returns true for calls whose results are not interpreted further. Choices and lists are read by their parts. */
function isComputed(expr: Expr): boolean {
  return expr.kind === 'call' && expr.function !== '_?_:_';
}

/** Returns the list of objects that an expression is, and when reading it does not fail. */
export function recordsCell(reader: Reader, expr: Expr): FoundCell | undefined {
  const type = reader.typed.types[resolved(reader, expr).id];
  return type?.kind === 'list' && type.element.kind === 'object' ? inputCell(reader, expr, 'records') : undefined;
}
