import type { Ast, CallExpr, Expr } from '@tollgate/cel';
import { mapChildren } from '@tollgate/cel/tooling';
import { hasStandIns, STAND_IN_VARIABLE } from '../carriers/placeholders/stand-in.ts';

/**
 * Returns the tree with each string that contains a placeholder replaced by an unknown string: `'/{{ x }}/y'` becomes
 * `string(placeholder_.s1_)`, a field of the variable of the stand-ins, which no traffic contains.
 */
export function withUnknownStrings(ast: Ast): Ast {
  if (!hasStandIns(ast.source)) return ast;
  let { nextId } = ast;
  const call = (name: string, range: Expr['range'], argument: Expr): CallExpr => ({
    ...{ kind: 'call', id: nextId++, range, function: name, functionRange: range, target: undefined },
    args: [argument],
  });
  const rewrite = (expr: Expr): Expr => {
    if (expr.kind !== 'literal') return mapChildren(expr, rewrite);
    const { range, literal } = expr;
    const isText = literal.type === 'string' || literal.type === 'bytes';
    if (!isText || !hasStandIns(ast.source.slice(range.start, range.end))) return expr;
    const operand: Expr = { kind: 'ident', id: nextId++, range, name: STAND_IN_VARIABLE };
    const field = `s${expr.id}_`;
    const value: Expr = { kind: 'select', id: expr.id, range, operand, field, fieldRange: range, testOnly: false };
    const text = call('string', range, value);
    return literal.type === 'bytes' ? call('bytes', range, text) : text;
  };
  const root = rewrite(ast.root);
  return { ...ast, root, nextId };
}
