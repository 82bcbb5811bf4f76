import { STRING_KEY } from '@tollgate/catalog';
import type { Expr, TypedAst } from '@tollgate/cel';
import { inputPathOf, type PathOptions } from '@tollgate/cel/tooling';

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
