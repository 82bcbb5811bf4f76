import { type Expr, unparse } from '@tollgate/cel';
import { childrenOf } from '@tollgate/cel/tooling';
import { type Condition, provided } from '../logic/condition.ts';
import { bindingOf, pathOf, type Reader } from './reader-context.ts';

/**
 * Reads an expression that is not interpreted as a truth value of its own, which may also fail. Equal expressions are the same truth value
 * unless they are volatile, so that a proof that uses it stays sound.
 */
export function opaqueCondition(reader: Reader, expr: Expr): Condition {
  const key = keyOf(reader, expr);
  const { vocabulary } = reader;
  const [value, failure] = ['value', 'failure'].map(part =>
    vocabulary.atom({
      kind: 'free',
      cell: vocabulary.cell(`${part}:${key}`, () => ({
        sort: 'free',
        steps: [],
        role: undefined,
        version: '',
        universe: { preferred: [] },
        uninterpreted: `\`${sourceOf(reader, expr)}\``,
      })),
    }),
  );
  return provided(vocabulary.graph, -failure!, { whenTrue: value!, whenFalse: -value! });
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
  const reference = reader.typed.references[expr.id];
  if (reference?.kind === 'function' && reference.overloads.some(({ id }) => reader.volatile.has(id))) return false;
  if (expr.kind === 'error' || bindingOf(reader, expr) !== undefined) return false;
  const path = pathOf(reader, expr);
  if (path !== undefined) {
    paths.add(path);
    return true;
  }
  return childrenOf(expr).every(child => isStable(reader, child, paths));
}
