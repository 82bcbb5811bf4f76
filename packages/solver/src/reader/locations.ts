// Where expressions read traffic: variables, their parts, and when those are present.

import { STRING_KEY, type ValueRole, type VariableFact } from '@tollgate/catalog';
import type { Expr, Type } from '@tollgate/cel';
import { canonicalHeaderName } from '@tollgate/policy';
import { FALSE, type Signal, TRUE } from '../logic/formula.ts';
import { type Cell, MAP_SIZE, type Universe } from '../theory/vocabulary.ts';
import { INT64 } from '../values/int-set.ts';
import {
  bindingOf,
  integerConstant,
  type Location,
  pathOf,
  type Reader,
  type ReadingContext,
  resolved,
  stringConstant,
} from './reader-context.ts';

/** The map of variables that rules set. */
export const VARIABLES = 'vars';

/** Returns the location that an expression reads; undefined for other expressions. */
export function locationOf(reader: Reader, expr: Expr): Location | undefined {
  const own = resolved(reader, expr);
  const binding = bindingOf(reader, own);
  if (binding?.kind === 'record') return binding.location;
  return variableAt(reader, own) ?? partAt(reader, own);
}

function variableAt(reader: Reader, expr: Expr): Location | undefined {
  const own = pathOf(reader, expr);
  const path = own === undefined ? undefined : withoutStringKey(own);
  const fact = path === undefined ? undefined : reader.facts.get(path);
  if (path === undefined || fact === undefined) return undefined;
  const steps = path.split('.');
  const type = reader.typed.types[expr.id] ?? UNTYPED;
  return { steps, role: fact.role, type, requires: presenceOf(reader, steps, fact), lift: signal => signal };
}

const UNTYPED: Type = { kind: 'dyn' };

/** Returns the signal that holds where a variable has a value. */
export function presenceOf(reader: Reader, steps: Location['steps'], fact: VariableFact): Signal {
  if (isAlwaysPresent(fact)) return TRUE;
  const absent = reader.names?.absentAs(fact.path);
  if (absent === undefined) return freeSignal(reader, { steps: [...steps, '?'] });
  const cell = cellOf(reader, { steps, role: fact.role }, 'int');
  return -reader.vocabulary.atom({ kind: 'integers', cell, set: [[absent, absent]] });
}

function freeSignal(reader: Reader, place: Pick<Location, 'steps' | 'list'>): Signal {
  return reader.vocabulary.atom({ kind: 'free', cell: cellOf(reader, { ...place, role: undefined }, 'free') });
}

/** Returns the cell for what is at a location. */
export function cellOf(
  reader: ReadingContext,
  place: Pick<Location, 'steps' | 'list' | 'role'>,
  sort: Cell['sort'],
): Cell {
  const { list, role } = place;
  const version = list?.version ?? reader.versionOf(place.steps.join('.'));
  const steps = sharedName(reader, place.steps);
  return reader.vocabulary.cell(`${sort}:${JSON.stringify(steps)}${version}`, () => ({
    sort,
    steps,
    role,
    version,
    ...(list && { list }),
    // What a rule changed may have any form.
    universe: version === '' ? reader.universeOf(role, steps) : ANYTHING,
  }));
}

function sharedName({ names }: ReadingContext, steps: Location['steps']): Location['steps'] {
  return names?.nameOf(steps) ?? steps;
}

const ANYTHING: Universe = { preferred: [] };

function partAt(reader: Reader, expr: Expr): Location | undefined {
  if (expr.kind === 'select' && !expr.testOnly) return memberAt(reader, expr.operand, expr.field);
  if (expr.kind !== 'call' || expr.function !== '_[_]') return undefined;
  const [operand, position] = [expr.args[0]!, expr.args[1]!];
  const key = stringConstant(reader, position);
  if (key !== undefined) return memberAt(reader, operand, key);
  const index = integerConstant(reader, position);
  if (index === undefined) return undefined;
  const list = resolved(reader, operand);
  return list.kind === 'comprehension' && index === 0n
    ? reader.firstKept(reader, list)
    : elementAt(reader, list, index);
}

function memberAt(reader: Reader, operand: Expr, name: string): Location | undefined {
  const owner = locationOf(reader, operand);
  if (owner?.type.kind === 'map') return entryAt(reader, owner, name)?.location;
  if (owner?.type.kind === 'object') return fieldAt(reader, owner, name)?.location;
  return owner?.type.kind === 'dyn' ? partOfAny(reader, owner, name) : undefined;
}

/** What is at a key, in a field or at an index of a value whose type is not known, if there is something. */
function partOfAny(reader: Reader, owner: Location, step: string | number): Location {
  const { list } = owner;
  const place = { steps: [...owner.steps, step], ...(list && { list }) };
  const isPresent = freeSignal(reader, withPresence(place));
  return within(reader, owner, { ...place, role: undefined, type: UNTYPED, isPresent });
}

/** What is at a key or in a field, and the signal that holds where there is something, if its owner can be read. */
interface Member {
  readonly location: Location;
  readonly isPresent: Signal;
}

/** Maps from names to lists that are never empty. */
const KEYED: ReadonlySet<ValueRole | undefined> = new Set<ValueRole>([
  ...(['request-headers', 'request-trailers', 'response-headers', 'response-trailers'] as const),
  ...(['query-parameters', 'request-cookies', 'response-cookies'] as const),
]);

/** Returns the entry of a map at a key; undefined if it is not a map with strings as keys. */
export function entryAt(reader: Reader, owner: Location, key: string): Member | undefined {
  const { type, steps, role, list } = owner;
  if (type.kind !== 'map') return undefined;
  const place = { steps: [...steps, key], role: KEYED.has(role) ? role : undefined, ...(list && { list }) };
  const isList = KEYED.has(role) && type.value.kind === 'list';
  const sort = isList && type.value.element.kind === 'object' ? 'records' : 'list';
  const own = isUnset(reader, place.steps)
    ? FALSE
    : isList
      ? hasElements(reader, cellOf(reader, place, sort), 1n)
      : freeSignal(reader, withPresence(place));
  if (list === undefined) reader.vocabulary.relateEntry(mapName(reader, owner), own);
  return {
    isPresent: owner.lift(own),
    location: within(reader, owner, { ...place, type: type.value, isPresent: own }),
  };
}

/** Returns true if no rule of the phase has set a variable: variables belong to a single phase. */
function isUnset(reader: Reader, steps: Location['steps']): boolean {
  return reader.startsEmpty === true && steps[0] === VARIABLES && reader.versionOf(steps.join('.')) === '';
}

/** Returns the cell of the number of entries of a map, and the condition that reading it does not fail. */
export function mapSize(reader: Reader, expr: Expr): (Location & { readonly cell: Cell }) | undefined {
  const owner = locationOf(reader, expr);
  if (owner?.type.kind !== 'map') return undefined;
  const { list, role } = owner;
  const { vocabulary } = reader;
  const version = list?.version ?? reader.versionOf(owner.steps.join('.'));
  const steps = sharedName(reader, owner.steps);
  const universe = { integers: [[0n, INT64[1]]] as const, preferred: [] };
  const cell = vocabulary.cell(`size:${JSON.stringify(steps)}${version}`, () => ({
    sort: 'int',
    steps: [...steps, MAP_SIZE],
    role,
    version,
    universe,
    ...(list && { list }),
  }));
  if (list === undefined)
    vocabulary.relateSize(mapName(reader, owner), vocabulary.atom({ kind: 'integers', cell, set: [[0n, 0n]] }));
  return { ...owner, cell };
}

/** Different for values before and after a change. */
function mapName(reader: Reader, { steps }: Location): string {
  return `${JSON.stringify(sharedName(reader, steps))}${reader.versionOf(steps.join('.'))}`;
}

function withPresence({ steps, list }: Pick<Location, 'steps' | 'list'>): Pick<Location, 'steps' | 'list'> {
  return { steps: [...steps, '?'], ...(list && { list }) };
}

interface Inner extends Pick<Location, 'steps' | 'role' | 'type'> {
  readonly isPresent: Signal;
}

function within({ vocabulary }: Reader, owner: Location, { steps, role, type, isPresent }: Inner): Location {
  const requires = vocabulary.graph.and([owner.requires, owner.lift(isPresent)]);
  return { ...owner, steps, role, type, requires };
}

/** Returns a field of an object; undefined if its type is not described. */
export function fieldAt(reader: Reader, owner: Location, name: string): Member | undefined {
  const field =
    owner.type.kind === 'object' ? reader.environment.objects.get(owner.type.name)?.fields.get(name) : undefined;
  if (field === undefined) return undefined;
  const { list } = owner;
  const place = { steps: [...owner.steps, name], ...(list && { list }) };
  const own = field.mayBeAbsent === true ? freeSignal(reader, withPresence(place)) : TRUE;
  const role = KEYED.has(list?.role) ? list?.role : undefined;
  return {
    isPresent: owner.lift(own),
    location: within(reader, owner, { ...place, role, type: field.type, isPresent: own }),
  };
}

function elementAt(reader: Reader, operand: Expr, index: bigint): Location | undefined {
  const owner = locationOf(reader, operand);
  if (owner?.type.kind === 'dyn' && index >= 0n && index <= MAX_INDEX) return partOfAny(reader, owner, Number(index));
  if (owner?.type.kind !== 'list' || index < 0n || index > MAX_INDEX) return undefined;
  const { element } = owner.type;
  // Strings are elements of their list's cell.
  if (element.kind !== 'object') return undefined;
  const list = cellOf(reader, owner, 'records');
  const { vocabulary } = reader;
  const lift = (formula: Signal) =>
    owner.lift(vocabulary.atom({ kind: 'record', cell: list, index: Number(index), formula }));
  const exists = owner.lift(hasElements(reader, list, index + 1n));
  return { ...elementOf(list, element), requires: vocabulary.graph.and([owner.requires, exists]), lift };
}

const MAX_INDEX = 100n;

/** Returns the location of any element of a list of objects. Signals about it are about that element. */
export function elementOf(list: Cell, type: Type): Location {
  return { steps: [`#${list.id}`], role: undefined, type, requires: TRUE, lift: signal => signal, list };
}

/** Returns true if reading a variable never fails. */
export function isAlwaysPresent({ absent, setBy }: VariableFact): boolean {
  return setBy === undefined && (absent === undefined || absent.value !== undefined);
}

/** Returns the path of a string that also has fields, which is one of its own fields. */
export function withoutStringKey(path: string): string {
  return path.endsWith(AS_STRING) ? path.slice(0, -AS_STRING.length) : path;
}

const AS_STRING = `.${STRING_KEY}`;

/** Returns the signal that holds where a list has at least this many elements. An absent entry of a map has none. */
export function hasElements(reader: Reader, cell: Cell, count: bigint): Signal {
  if (isNever(reader, cell)) return FALSE;
  const isPresent =
    isHeader(cell) && hasUsualName(reader, cell) ? reader.presenceOf?.(cell.steps.join('.')) : undefined;
  if (isPresent === false) return FALSE;
  if (isPresent === true && count === 1n) return TRUE;
  return reader.vocabulary.atom({ kind: 'size', cell, set: [[count, INT64[1]]] });
}

/** Returns true if no message has the key: header maps contain names in one form only. */
function isNever(reader: Reader, cell: Cell): boolean {
  return reader.knowsNames && isHeader(cell) && !hasUsualName(reader, cell);
}

/** Returns true if the name of a header is in the form that header maps contain. */
function hasUsualName(reader: Reader, { steps }: Cell): boolean {
  const name = String(steps.at(-1));
  const isCanonical = reader.profile.headerNames === 'canonical' && reader.names === undefined;
  return name === (isCanonical ? canonicalHeaderName(name) : name.toLowerCase());
}

function isHeader({ role }: Cell): boolean {
  return role === 'request-headers' || role === 'response-headers';
}
