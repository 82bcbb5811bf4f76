// Values that are looked up by name: headers, parameters, cookies; and addresses that ranges are asked for.

import type { ValueRole } from '@tollgate/catalog';
import type { CallExpr, Expr, TypedAst } from '@tollgate/cel';
import type { ProfileRoles } from './profile-roles.ts';
import { literalString, type SourceNode, sourceNodes, variablePath } from './source-nodes.ts';
import { originOf, type ValueOrigin } from './value-origin.ts';

/** A lookup of a constant name in headers, parameters or cookies. */
export interface Lookup {
  /** The index, selection, membership test or call. */
  readonly node: Expr;
  /** The name: a literal, or the selection by it. */
  readonly key: Expr;
  readonly name: string;
  readonly path: string;
  readonly role: ValueRole;
  readonly anyCase: boolean;
}

/** Returns all lookups of constant names, in source order. */
export function lookupsIn(
  typed: TypedAst,
  roles: ProfileRoles,
  nodes: readonly SourceNode[] = sourceNodes(typed.ast),
): readonly Lookup[] {
  const found: Lookup[] = [];
  for (const { node } of nodes) {
    const lookup = lookupOf(typed, roles, node);
    if (lookup) found.push(lookup);
  }
  return found;
}

/** Returns the lookups in inputs with one of the roles. */
export function lookupsOf(all: readonly Lookup[], ...roles: readonly ValueRole[]): readonly Lookup[] {
  return all.filter(({ role }) => roles.includes(role));
}

function lookupOf(typed: TypedAst, roles: ProfileRoles, node: Expr): Lookup | undefined {
  if (node.kind === 'select') return selected(typed, roles, node);
  if (node.kind !== 'call') return undefined;
  if (node.function === '@in') return membership(typed, roles, node);
  // A method such as `lowerAscii` is called on a lookup and is not one itself.
  const isOwn = node.function === '_[_]' || node.function === '_[?_]' ? isMap(typed, node.args[0]) : !node.target;
  return isOwn ? named(node, originOf(typed, roles, node)) : undefined;
}

function selected(typed: TypedAst, roles: ProfileRoles, node: Extract<Expr, { kind: 'select' }>): Lookup | undefined {
  const origin = isMap(typed, node.operand) ? originOf(typed, roles, node.operand) : undefined;
  return named(node, origin && { ...origin, name: node.field, key: node });
}

function membership(typed: TypedAst, roles: ProfileRoles, node: CallExpr): Lookup | undefined {
  const [key, map] = node.args;
  const path = map && isMap(typed, map) ? variablePath(typed, map) : undefined;
  const role = path === undefined ? undefined : roles.variables.get(path)?.role;
  const name = literalString(key);
  if (path === undefined || role === undefined || name === undefined || !key) return undefined;
  return { node, key, name, path, role, anyCase: false };
}

function named(node: Expr, origin: ValueOrigin | undefined): Lookup | undefined {
  const { name, key, path, role, anyCase } = origin ?? {};
  if (name === undefined || !key || path === undefined || role === undefined) return undefined;
  return { node, key, name, path, role, anyCase: anyCase ?? false };
}

function isMap(typed: TypedAst, node: Expr | undefined): boolean {
  return node !== undefined && typed.types[node.id]?.kind === 'map';
}

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

/** An argument that is an address range or a list of them. */
export interface RangeArgument {
  readonly node: Expr;
  /** True below an odd number of negations. */
  readonly isNegated: boolean;
}

/** Returns the arguments that are address ranges, in source order. */
export function rangeArgumentsIn(
  typed: TypedAst,
  roles: ProfileRoles,
  nodes: readonly SourceNode[] = sourceNodes(typed.ast),
): readonly RangeArgument[] {
  const found: RangeArgument[] = [];
  for (const { node, isNegated } of nodes) {
    const argument = rangeArgument(typed, roles, node);
    if (argument) found.push({ node: argument, isNegated });
  }
  return found;
}

function rangeArgument(typed: TypedAst, { functions }: ProfileRoles, node: Expr): Expr | undefined {
  const reference = node.kind === 'call' ? typed.references[node.id] : undefined;
  if (node.kind !== 'call' || reference?.kind !== 'function') return undefined;
  const params = functions.get(reference.overloads[0]!.id)?.params ?? [];
  const index = params.findIndex(param => param.role === 'address-range');
  if (index < 0) return undefined;
  const operands = node.target && params.length > node.args.length ? [node.target, ...node.args] : node.args;
  return operands[index];
}
