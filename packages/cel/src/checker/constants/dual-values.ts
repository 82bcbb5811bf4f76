import type { Expr } from '../../ast/ast.ts';
import type { ObjectDecl } from '../../ast/declaration.ts';
import { mapChildren } from '../../ast/map-children.ts';
import type { TypedAst } from '../../ast/typed-ast.ts';
import { STRING, type Type } from '../../types/type.ts';

/**
 * Returns the checked tree with values of dual types replaced by their strings: `req.url == 'x'` becomes `req.url.@text == 'x'`. Ranges
 * stay those of the source, so evaluators and analyses need not know of dual types.
 */
export function readDualValues(
  typed: TypedAst,
  stringIds: ReadonlySet<number>,
  env: { readonly objects: ReadonlyMap<string, ObjectDecl> },
): TypedAst {
  const { ast } = typed;
  const types: (Type | undefined)[] = [...typed.types];
  const rewrite = (expr: Expr): Expr => {
    const inner = mapChildren(expr, rewrite);
    const type = stringIds.has(expr.id) ? types[expr.id] : undefined;
    const field = type?.kind === 'object' ? env.objects.get(type.name)?.stringKey : undefined;
    if (field === undefined) return inner;
    const { range } = expr;
    const id = types.push(STRING) - 1;
    return { kind: 'select', id, range, operand: inner, field, fieldRange: range, testOnly: false };
  };
  types.length = ast.nextId;
  const root = rewrite(ast.root);
  return {
    ...typed,
    resultType: types[root.id] ?? typed.resultType,
    ast: { ...ast, root, nextId: types.length },
    types,
  };
}
