import { STRING_KEY } from '@tollgate/catalog';
import type { Expr, TypedAst } from '@tollgate/cel';

/** The path of selections from a declared variable, without the dot of an absolute name: `req.Method`; undefined for all else. */
export function variablePath(typed: TypedAst, node: Expr): string | undefined {
  const reference = typed.references[node.id];
  if (reference?.kind === 'variable') return reference.name;
  if (node.kind !== 'select' || node.testOnly) return undefined;
  const operand = variablePath(typed, node.operand);
  // The checker selects the text of a value that is an object too.
  return operand === undefined || node.field === STRING_KEY ? operand : `${operand}.${node.field}`;
}

/** The value of a literal text; undefined for all else. */
export function literalText(node: Expr | undefined): string | undefined {
  return node?.kind === 'literal' && node.literal.type === 'string' ? node.literal.value : undefined;
}
