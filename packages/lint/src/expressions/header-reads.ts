import type { CallExpr, Expr, TypedAst } from '@tollgate/cel';
import type { WrittenNode } from './source-nodes.ts';
import { literalText, variablePath } from './variable-path.ts';

/** A header that is read, or asked for, by a constant name. */
export interface HeaderRead {
  /** The index, selection or membership test. */
  readonly node: Expr;
  /** `req.Headers`, `res.headers`. */
  readonly path: string;
  readonly name: string;
  /** Where the name stands in the expression, quotes included. */
  readonly key: Expr;
  /** `test`: asks only whether it is there. */
  readonly use: 'value' | 'test';
}

/** The last part of the path of a map of headers, in all profiles. */
const HEADERS = /\.(?:Headers|headers)$/;

/** The reads of headers among the nodes. */
export function headerReadsIn(typed: TypedAst, nodes: readonly WrittenNode[]): readonly HeaderRead[] {
  return nodes.flatMap(({ node }) => headerReadOf(typed, node) ?? []);
}

/** The node as a read of a header, if it is one. */
export function headerReadOf(typed: TypedAst, node: Expr): HeaderRead | undefined {
  if (node.kind !== 'call') return undefined;
  const [first, second] = node.args;
  if (node.function === '_[_]' || node.function === '_[?_]') return readOf(typed, node, { map: first, key: second });
  if (node.function !== '@in') return undefined;
  const read = readOf(typed, node, { map: second, key: first });
  return read && { ...read, use: 'test' };
}

function readOf(
  typed: TypedAst,
  node: CallExpr,
  { map, key }: { readonly map: Expr | undefined; readonly key: Expr | undefined },
): HeaderRead | undefined {
  const path = map && variablePath(typed, map);
  const name = literalText(key);
  if (path === undefined || key === undefined || name === undefined || !HEADERS.test(path)) return undefined;
  return { node, path, name, key, use: 'value' };
}
