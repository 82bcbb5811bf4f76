import { type Expr, unparse } from '@tollgate/cel';
import { childrenOf } from '@tollgate/cel/tooling';
import { type Condition, provided } from '../logic/condition.ts';
import { type Signal, TRUE } from '../logic/graph.ts';
import type { Cell, Universe } from '../theory/vocabulary.ts';
import { bindingOf, isVolatile, pathOf, type Reader } from './reader-context.ts';
import { isTotal } from './totality.ts';

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
      const computed = reader.computedFrom(reader, expr);
      return {
        ...{ sort: ofSort, steps: [], role: undefined, version: '', universe },
        uninterpreted: `\`${sourceOf(reader, expr)}\``,
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
