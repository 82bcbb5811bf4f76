// The cells of expressions: of inputs, of values that are computed from one string, and of what is not interpreted.

import { compileClosures, EvaluationError, type Expr, extendEnvironment, unparse } from '@tollgate/cel';
import { childrenOf, compilePattern, mapChildren, typeDynamically } from '@tollgate/cel/tooling';
import { type Condition, provided, type Signal, TRUE } from '../logic/formula.ts';
import { type Cell, type Computed, type Slot, slotKey, type Universe } from '../theory/vocabulary.ts';
import { cellOf, isAlwaysPresent, locationOf, withoutStringKey } from './locations.ts';
import {
  bindingOf,
  integerConstant,
  isVolatile,
  type Location,
  operandsOf,
  overloadOf,
  pathOf,
  type Reader,
  resolved,
  typeOf,
} from './reader-context.ts';

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

/**
 * Reads an expression that is not interpreted as a truth value of its own, which may also fail. Equal expressions are the same truth value
 * unless they are volatile, so that a proof that uses it stays sound.
 */
export function opaqueCondition(reader: Reader, expr: Expr): Condition {
  const { cell, requires } = opaqueCell(reader, expr, 'free');
  const { vocabulary } = reader;
  const value = vocabulary.atom({ kind: 'free', cell });
  return provided(vocabulary.graph, requires, { whenTrue: value, whenFalse: -value });
}

/** Returns a cell for the value of an expression that is not interpreted, and the signal that holds where it does not fail. */
export function opaqueCell(
  reader: Reader,
  expr: Expr,
  sort: Cell['sort'],
  universe: Universe = { preferred: [] },
): { readonly cell: Cell; readonly requires: Signal; readonly lift: (signal: Signal) => Signal } {
  const key = keyOf(reader, expr);
  const { vocabulary } = reader;
  const cellOf = (part: 'value' | 'failure', ofSort: Cell['sort']) =>
    vocabulary.cell(`${part}:${ofSort}:${key}`, () => {
      const computed = computedFrom(reader, expr);
      return {
        sort: ofSort,
        steps: [],
        role: undefined,
        version: '',
        universe,
        uninterpreted: shownSource(reader, expr),
        ...(computed && { computed: { ...computed, part } }),
      };
    });
  const failure = isTotal(reader, expr) ? -TRUE : vocabulary.atom({ kind: 'free', cell: cellOf('failure', 'free') });
  return { cell: cellOf('value', sort), requires: -failure, lift: signal => signal };
}

/** Returns a string that is equal only for expressions with the same value in every evaluation. */
function keyOf(reader: Reader, expr: Expr): string {
  const paths = new Set<string>();
  if (!isStable(reader, expr, paths)) return reader.vocabulary.unique();
  const versions = [...paths].sort().map(path => reader.versionOf(path));
  return `${sourceOf(reader, expr)} ${versions.join('|')}`;
}

/** Returns an expression for messages: as its author wrote it. */
export function shownSource({ typed: { ast } }: Reader, expr: Expr): string {
  const written = unparse({ ...ast, root: expr });
  // A part of an expanded loop that nobody wrote.
  return /@(?:fold|result)|#unused/.test(written) ? 'a loop' : `\`${written}\``;
}

/** Returns an expression as text, equal for expressions that are expanded alike. */
function sourceOf({ typed: { ast } }: Reader, expr: Expr): string {
  return unparse({ ...ast, root: expr, macroCalls: new Map() });
}

/** Collects the paths that it reads; returns false if two evaluations may differ, or if it uses local names from outside. */
function isStable(reader: Reader, expr: Expr, paths: Set<string>): boolean {
  if (isVolatile(reader, expr)) return false;
  if (expr.kind === 'error' || bindingOf(reader, expr) !== undefined) return false;
  const path = pathOf(reader, expr);
  if (path !== undefined) {
    paths.add(path);
    return true;
  }
  return childrenOf(expr).every(child => isStable(reader, child, paths));
}

/** Overloads that never fail for operands of their types. */
const TOTAL: ReadonlySet<string> = new Set([
  ...['logical_and', 'logical_or', 'logical_not', 'conditional', 'equals', 'not_equals', 'in_list', 'in_map'],
  ...['contains_string', 'starts_with_string', 'ends_with_string', 'string_lower_ascii', 'string_upper_ascii'],
  ...['size_string', 'string_size', 'size_list', 'list_size', 'size_map', 'map_size', 'size_bytes', 'bytes_size'],
  ...['is_ip', 'is_cidr', 'string_trim', 'rand_double', 'rand_int'],
]);

const ORDERING: ReadonlySet<string> = new Set(['_<_', '_<=_', '_>_', '_>=_']);

/** Returns true if evaluating an expression never fails. */
function isTotal(reader: Reader, expr: Expr): boolean {
  const path = pathOf(reader, expr);
  if (path !== undefined) {
    const fact = reader.facts.get(withoutStringKey(path));
    return fact !== undefined && isAlwaysPresent(fact);
  }
  switch (expr.kind) {
    case 'literal':
      return true;
    case 'ident': {
      const binding = bindingOf(reader, expr);
      return binding?.kind === 'expression' && isTotal(reader, binding.expr);
    }
    case 'select':
      // Only for maps; tests of fields of objects are rare.
      return expr.testOnly && typeOf(reader, expr.operand) === 'map' && isTotal(reader, expr.operand);
    case 'list':
      return expr.optionalIndices.length === 0 && expr.elements.every(element => isTotal(reader, element));
    case 'call':
      return isTotalCall(reader, expr);
    default:
      return false;
  }
}

function isTotalCall(reader: Reader, call: Extract<Expr, { kind: 'call' }>): boolean {
  const overload = overloadOf(reader, call);
  if (overload === undefined) return false;
  const operands = operandsOf(reader, call);
  const isSafe = TOTAL.has(overload) || ORDERING.has(call.function) || isFixedPattern(overload, operands);
  // A value of type dyn may have the wrong type at run time.
  return isSafe && operands.every(operand => typeOf(reader, operand) !== 'dyn' && isTotal(reader, operand));
}

function isFixedPattern(overload: string, [, pattern]: readonly Expr[]): boolean {
  if (overload !== 'matches' && overload !== 'matches_string') return false;
  if (pattern?.kind !== 'literal' || pattern.literal.type !== 'string') return false;
  return !(compilePattern(pattern.literal.value) instanceof EvaluationError);
}

/** Returns what computes an expression that reads a few strings and nothing else; undefined for other expressions. */
function computedFrom(reader: Reader, expr: Expr): Computed | undefined {
  if (!RESULTS.has(typeOf(reader, expr))) return undefined;
  const found: Found = { operands: new Map(), isAlways: true, pieces: [], scopes: new Set() };
  if (!collect(reader, expr, found) || found.operands.size === 0) return undefined;
  const { operands, isAlways, pieces } = found;
  let apply: Computed['apply'] | undefined;
  return {
    operands: [...operands.values()],
    isAlways,
    pieces,
    apply: texts => {
      apply ??= compiled(reader, expr, [...operands.keys()]);
      return apply(texts);
    },
  };
}

const RESULTS: ReadonlySet<string> = new Set(['string', 'int', 'bool']);

interface Found {
  /** By what is equal for the same input. */
  readonly operands: Map<string, Slot>;
  isAlways: boolean;
  readonly pieces: string[];
  /** Loops inside of the expression. */
  readonly scopes: Set<number>;
}

/** Strings that are tried together grow in number with the power of this. */
const MAX_OPERANDS = 3;

/** Returns false if the expression reads something else, too. */
function collect(reader: Reader, expr: Expr, found: Found): boolean {
  const own = resolved(reader, expr);
  if (own.kind === 'literal') {
    if (own.literal.type === 'string') found.pieces.push(own.literal.value);
    return true;
  }
  if (own.kind === 'error' || bindingOf(reader, own) !== undefined) return false;
  const input = typeOf(reader, own) === 'string' ? inputOf(reader, own) : undefined;
  if (input !== undefined) {
    found.operands.set(slotKey(input.operand), input.operand);
    found.isAlways &&= input.isAlways;
    return found.operands.size <= MAX_OPERANDS;
  }
  const reference = reader.typed.references[own.id];
  if (reference?.kind === 'local') return found.scopes.has(reference.scope);
  if (reference?.kind === 'variable' || pathOf(reader, own) !== undefined) return false;
  if (own.kind === 'comprehension') found.scopes.add(own.id);
  if (own.kind !== 'call') return childrenOf(own).every(child => collect(reader, child, found));
  if (isVolatile(reader, own) || reference?.kind !== 'function') return false;
  return operandsOf(reader, own).every(operand => collect(reader, operand, found));
}

/** Returns the string of traffic that an expression is. */
function inputOf(reader: Reader, expr: Expr): { readonly operand: Slot; readonly isAlways: boolean } | undefined {
  const found = inputCell(reader, expr, 'string');
  if (found !== undefined) {
    if (found.cell.list !== undefined) return undefined;
    return { operand: { cell: found.cell, index: undefined }, isAlways: found.requires === TRUE };
  }
  if (expr.kind !== 'call' || expr.function !== '_[_]') return undefined;
  const index = integerConstant(reader, expr.args[1]!);
  const list = resolved(reader, expr.args[0]!);
  const cell = index === undefined || index < 0n || index > MAX_INDEX ? undefined : listCell(reader, list)?.cell;
  // Lists that are computed have no elements of their own.
  if (cell === undefined || cell.uninterpreted !== undefined || cell.list !== undefined) return undefined;
  return { operand: { cell, index: Number(index) }, isAlways: true };
}

const MAX_INDEX = 100n;

/** Operands as names that no expression can contain. */
const OPERANDS = Array.from({ length: MAX_OPERANDS }, (_, at) => `tollgate_operand_${at}__`);

function compiled(reader: Reader, expr: Expr, sources: readonly string[]): Computed['apply'] {
  const environment = extendEnvironment(reader.environment, {
    variables: OPERANDS.map(name => ({ name, type: { kind: 'string' } })),
  });
  let nextId = 1;
  const copy = (node: Expr): Expr => {
    const own = resolved(reader, node);
    const input = typeOf(reader, own) === 'string' && own.kind !== 'literal' ? inputOf(reader, own) : undefined;
    const id = nextId++;
    const name = input && OPERANDS[sources.indexOf(slotKey(input.operand))];
    return name === undefined ? { ...mapChildren(own, copy), id } : { kind: 'ident', name, id, range: own.range };
  };
  const root = copy(expr);
  const program = compileClosures(
    typeDynamically({ source: '', root, nextId, macroCalls: new Map() }, environment),
    environment,
  );
  return texts => {
    const value: unknown = program.evaluate(Object.fromEntries(texts.map((text, at) => [OPERANDS[at]!, text])));
    if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined;
    return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint' ? value : undefined;
  };
}
