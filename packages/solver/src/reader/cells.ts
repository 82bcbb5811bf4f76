import type { VariableFact } from '@tollgate/catalog';
import type { Expr } from '@tollgate/cel';
import { canonicalHeaderName } from '@tollgate/policy';
import { FALSE, type Signal, TRUE } from '../logic/graph.ts';
import type { Cell } from '../theory/vocabulary.ts';
import { opaqueCell } from './opaque.ts';
import { isAlwaysPresent, withoutStringKey } from './presence.ts';
import { pathOf, type Reader, resolved, stringConstant, typeOf } from './reader-context.ts';

/** A cell, and the signal that holds where reading it does not fail. */
interface FoundCell {
  readonly cell: Cell;
  readonly requires: Signal;
}

/** Returns the cell of an input, such as `req.Method`; undefined for other expressions. */
export function inputCell(reader: Reader, expr: Expr, sort: Cell['sort']): FoundCell | undefined {
  const own = pathOf(reader, expr);
  const path = own === undefined ? undefined : withoutStringKey(own);
  const fact = path === undefined ? undefined : reader.facts.get(path);
  if (path === undefined || fact === undefined) return undefined;
  const cell = cellAt(reader, path.split('.'), { sort, fact });
  return { cell, requires: isAlwaysPresent(fact) ? TRUE : presenceOf(reader, path, fact) };
}

function presenceOf(reader: Reader, path: string, fact: VariableFact): Signal {
  const steps = [...path.split('.'), '?'];
  return reader.vocabulary.atom({ kind: 'free', cell: cellAt(reader, steps, { sort: 'free', fact }) });
}

interface CellKind {
  readonly sort: Cell['sort'];
  readonly fact: VariableFact | undefined;
}

function cellAt(reader: Reader, steps: readonly (string | number)[], { sort, fact }: CellKind): Cell {
  const version = reader.versionOf(steps.join('.'));
  return reader.vocabulary.cell(`${sort}:${JSON.stringify(steps)}${version}`, () => ({
    sort,
    steps,
    role: fact?.role,
    version,
    // What a rule changed may have any form.
    universe: version === '' ? reader.universeOf(fact?.role, steps) : { preferred: [] },
  }));
}

/** Returns the list at a constant key of an input that is a map of lists of strings; undefined for other expressions. */
function entryCell(reader: Reader, expr: Expr): Cell | undefined {
  const own = resolved(reader, expr);
  if (own.kind === 'select' && !own.testOnly) return entryOf(reader, own.operand, own.field);
  if (own.kind !== 'call' || own.function !== '_[_]') return undefined;
  const key = stringConstant(reader, own.args[1]!);
  return key === undefined ? undefined : entryOf(reader, own.args[0]!, key);
}

/** Returns the list at a key; undefined if the expression is not a map of lists of strings. */
export function entryOf(reader: Reader, map: Expr, key: string): Cell | undefined {
  const type = reader.typed.types[map.id];
  const isMapOfLists = type?.kind === 'map' && type.value.kind === 'list' && type.value.element.kind === 'string';
  const path = isMapOfLists ? pathOf(reader, map) : undefined;
  const fact = path === undefined ? undefined : reader.facts.get(path);
  if (path === undefined || fact === undefined || !isAlwaysPresent(fact)) return undefined;
  return cellAt(reader, [...path.split('.'), key], { sort: 'list', fact });
}

/** Returns true if no message has the key: header maps contain names in one form only. */
function isNever(reader: Reader, { role, steps }: Cell): boolean {
  if (!reader.knowsNames || (role !== 'request-headers' && role !== 'response-headers')) return false;
  const name = String(steps.at(-1));
  const usual = reader.profile.headerNames === 'canonical' ? canonicalHeaderName(name) : name.toLowerCase();
  return name !== usual;
}

/** Returns the signal that holds where a list has at least this many elements. An absent entry of a map has none. */
export function hasElements(reader: Reader, cell: Cell, count: bigint): Signal {
  if (isNever(reader, cell)) return FALSE;
  return reader.vocabulary.atom({ kind: 'size', cell, set: [[count, 2n ** 63n - 1n]] });
}

/** Returns the list that an expression is, and when reading it does not fail. */
export function listCell(reader: Reader, expr: Expr): FoundCell | undefined {
  const entry = entryCell(reader, expr);
  if (entry !== undefined) return { cell: entry, requires: hasElements(reader, entry, 1n) };
  const type = reader.typed.types[resolved(reader, expr).id];
  const isStrings = typeOf(reader, expr) === 'list' && type?.kind === 'list' && type.element.kind === 'string';
  if (!isStrings) return undefined;
  return inputCell(reader, expr, 'list') ?? (isComputed(expr) ? opaqueCell(reader, expr, 'list') : undefined);
}

/** Returns true for calls whose results are not interpreted further. Choices and lists are read by their parts. */
function isComputed(expr: Expr): boolean {
  return expr.kind === 'call' && expr.function !== '_?_:_';
}
