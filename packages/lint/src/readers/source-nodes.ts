// Nodes of expressions as they are written, and their paths.

import { STRING_KEY } from '@tollgate/catalog';
import type { Ast, CallExpr, Expr, TypedAst } from '@tollgate/cel';
import { childrenOf, inputPathOf, type PathOptions } from '@tollgate/cel/tooling';

/** Returns the node as written in the source: a macro call instead of its expansion. */
export function asWritten(ast: Ast, node: Expr): Expr {
  return ast.macroCalls.get(node.id) ?? node;
}

/**
 * A node as written in the source. `isNegated` is true below an odd number of negations: `!x`, `x == false`, `x != true`, `x ? false :
 * true`.
 */
export interface SourceNode {
  readonly node: Expr;
  readonly isNegated: boolean;
}

/** Returns all nodes of a tree as written, parents before children, in source order. */
export function sourceNodes(ast: Ast): readonly SourceNode[] {
  const found: SourceNode[] = [];
  collect(ast, ast.root, { found, isNegated: false });
  return found;
}

function collect(
  ast: Ast,
  expanded: Expr,
  { found, isNegated }: { readonly found: SourceNode[]; readonly isNegated: boolean },
): void {
  const node = asWritten(ast, expanded);
  found.push({ node, isNegated });
  const children = childrenOf(node);
  if (children.length === 0) return;
  const negates = node.kind === 'call' && isNegation(node);
  const below = { found, isNegated: negates ? !isNegated : isNegated };
  for (const child of children) collect(ast, child, below);
}

/** Returns true if a call holds exactly where its operand does not: `!x`, `x == false`, `x != true`, `x ? false : true`. */
export function isNegation({ function: name, args: [first, second, third] }: CallExpr): boolean {
  switch (name) {
    case '!_':
      return true;
    case '_==_':
      return isBoolean(first, false) || isBoolean(second, false);
    case '_!=_':
      return isBoolean(first, true) || isBoolean(second, true);
    case '_?_:_':
      return isBoolean(second, false) && isBoolean(third, true);
    default:
      return false;
  }
}

function isBoolean(node: Expr | undefined, value: boolean): boolean {
  return node?.kind === 'literal' && node.literal.value === value;
}

/** Returns the path of selections from a declared variable, such as `req.Method`, through objects and maps; undefined for all else. */
export function variablePath(typed: TypedAst, node: Expr): string | undefined {
  const path = inputPathOf(typed, node, VALUES);
  // The checker selects the string form of a value that is an object too.
  return path?.endsWith(STRING_FORM) ? path.slice(0, -STRING_FORM.length) : path;
}

const VALUES: PathOptions = { isField: ({ testOnly }) => !testOnly };
const STRING_FORM = `.${STRING_KEY}`;

/** Returns the value of a string literal; undefined for all other nodes. */
export function literalString(node: Expr | undefined): string | undefined {
  return node?.kind === 'literal' && node.literal.type === 'string' ? node.literal.value : undefined;
}
