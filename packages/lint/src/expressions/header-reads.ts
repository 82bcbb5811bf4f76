import type { CallExpr, Expr, TypedAst } from '@tollgate/cel';
import type { SourceNode } from './source-nodes.ts';
import { literalString, variablePath } from './variable-path.ts';

/** A read or a presence test of a header with a constant name. */
export interface HeaderRead {
  /** The index, selection or membership test. */
  readonly node: Expr;
  /** `req.Headers`, `res.headers`. */
  readonly path: string;
  readonly name: string;
  /** The node of the name. */
  readonly key: Expr;
  /** `test` only tests whether the header is present. */
  readonly use: 'value' | 'test';
}

/** All profiles end the path of a map of headers with this name. */
const HEADERS = /\.(?:Headers|headers)$/;

/** Returns the reads of headers among the nodes. */
export function headerReadsIn(typed: TypedAst, nodes: readonly SourceNode[]): readonly HeaderRead[] {
  return nodes.flatMap(({ node }) => headerReadOf(typed, node) ?? []);
}

/** Returns the node as a read of a header; undefined if it is not one. */
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
  const name = literalString(key);
  if (path === undefined || key === undefined || name === undefined || !HEADERS.test(path)) return undefined;
  return { node, path, name, key, use: 'value' };
}
