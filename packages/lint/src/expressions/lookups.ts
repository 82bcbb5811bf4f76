import type { ValueRole } from '@tollgate/catalog';
import type { CallExpr, Expr, TypedAst } from '@tollgate/cel';
import type { ProfileRoles } from '../profile/profile-roles.ts';
import { type SourceNode, sourceNodes } from './source-nodes.ts';
import { originOf, type ValueOrigin } from './value-origin.ts';
import { literalString, variablePath } from './variable-path.ts';

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
