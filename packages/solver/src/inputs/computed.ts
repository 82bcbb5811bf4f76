import { compileClosures, type Expr, extendEnvironment } from '@tollgate/cel';
import { childrenOf, mapChildren, typeDynamically } from '@tollgate/cel/tooling';
import { TRUE } from '../logic/graph.ts';
import type { Computed, Slot } from '../theory/vocabulary.ts';
import { inputCell, listCell } from './cells.ts';
import {
  bindingOf,
  integerConstant,
  isVolatile,
  operandsOf,
  pathOf,
  type Reader,
  resolved,
  typeOf,
} from './reader-context.ts';

/** Returns what computes an expression that reads one string and nothing else; undefined for other expressions. */
export function computedFrom(reader: Reader, expr: Expr): Computed | undefined {
  if (!RESULTS.has(typeOf(reader, expr))) return undefined;
  const found: Found = { operand: undefined, source: '', isAlways: true, pieces: [], scopes: new Set() };
  if (!collect(reader, expr, found) || found.operand === undefined) return undefined;
  const { operand, isAlways, pieces, source } = found;
  let apply: Computed['apply'] | undefined;
  return {
    ...{ operand, isAlways, pieces },
    apply: text => {
      apply ??= compiled(reader, expr, source);
      return apply(text);
    },
  };
}

const RESULTS: ReadonlySet<string> = new Set(['string', 'int', 'bool']);

interface Found {
  operand: Slot | undefined;
  /** Equal for the same input. */
  source: string;
  isAlways: boolean;
  readonly pieces: string[];
  /** Loops inside of the expression. */
  readonly scopes: Set<number>;
}

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
    const source = sourceOf(input.operand);
    if (found.operand !== undefined && found.source !== source) return false;
    found.operand = input.operand;
    found.source = source;
    found.isAlways &&= input.isAlways;
    return true;
  }
  const reference = reader.typed.references[own.id];
  if (reference?.kind === 'local') return found.scopes.has(reference.scope);
  if (reference?.kind === 'variable' || pathOf(reader, own) !== undefined) return false;
  if (own.kind === 'comprehension') found.scopes.add(own.id);
  if (own.kind !== 'call') return childrenOf(own).every(child => collect(reader, child, found));
  if (isVolatile(reader, own) || reference?.kind !== 'function') return false;
  return operandsOf(reader, own).every(operand => collect(reader, operand, found));
}

function sourceOf({ cell, index }: Slot): string {
  return `${cell.id}:${index}`;
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

/** The operand as a name that no expression can contain. */
const OPERAND = 'tollgate_operand__';

function compiled(reader: Reader, expr: Expr, source: string): Computed['apply'] {
  const environment = extendEnvironment(reader.environment, {
    variables: [{ name: OPERAND, type: { kind: 'string' } }],
  });
  let nextId = 1;
  const copy = (node: Expr): Expr => {
    const own = resolved(reader, node);
    const input = typeOf(reader, own) === 'string' && own.kind !== 'literal' ? inputOf(reader, own) : undefined;
    const id = nextId++;
    if (input !== undefined && sourceOf(input.operand) === source)
      return { kind: 'ident', name: OPERAND, id, range: own.range };
    return { ...mapChildren(own, copy), id };
  };
  const root = copy(expr);
  const program = compileClosures(
    typeDynamically({ source: '', root, nextId, macroCalls: new Map() }, environment),
    environment,
  );
  return text => {
    const value: unknown = program.evaluate({ [OPERAND]: text });
    if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined;
    return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint' ? value : undefined;
  };
}
