import type { Expr } from '../../ast/ast.ts';
import { type CheckContext, type CheckEnvironment, findLocal } from '../context/check-context.ts';

/**
 * Looks up a name in the container and then in each enclosing namespace up to the root (Language Definition, "Name Resolution"). A name
 * with a leading dot is looked up in the root only.
 */
export function resolveName<T>(env: CheckEnvironment, name: string, declared: ReadonlyMap<string, T>): T | undefined {
  if (name.charCodeAt(0) === DOT) return declared.get(name.slice(1));
  for (let namespace = env.container; namespace !== ''; namespace = enclosing(namespace)) {
    const found = declared.get(`${namespace}.${name}`);
    if (found !== undefined) return found;
  }
  return declared.get(name);
}

const DOT = 46;

function enclosing(namespace: string): string {
  return namespace.slice(0, Math.max(0, namespace.lastIndexOf('.')));
}

/** Returns the qualified name that `a.b.c` may refer to; undefined if no declaration can have it or a local name hides it. */
export function qualifiedNameOf(c: CheckContext, expr: Expr): string | undefined {
  const root = rootOf(expr);
  if (root === undefined || findLocal(c, root) !== undefined) return undefined;
  if (c.env.container === '' && !c.env.index.qualifiedRoots.has(firstPart(root))) return undefined;
  return dottedName(expr);
}

/** A leading dot means the root, where an empty container looks anyway. Inlined bodies have dots inside names. */
function firstPart(name: string): string {
  return name.startsWith('.') ? (name.slice(1).split('.', 1)[0] ?? '') : name;
}

function rootOf(expr: Expr): string | undefined {
  let node = expr;
  while (node.kind === 'select' && !node.testOnly) node = node.operand;
  return node.kind === 'ident' ? node.name : undefined;
}

function dottedName(expr: Expr): string {
  if (expr.kind === 'select') return `${dottedName(expr.operand)}.${expr.field}`;
  return expr.kind === 'ident' ? expr.name : '';
}
