import type { VariableFact } from '@tollgate/catalog';
import type { Ast, CallExpr, Expr, Type, TypedAst } from '@tollgate/cel';
import { inputPathOf, mapChildren } from '@tollgate/cel/tooling';

/** Operators whose other operand determines the type of an open value. */
const OPERATORS: ReadonlySet<string> = new Set([
  ...['_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_', '@in'],
  ...['_+_', '_-_', '_*_', '_/_', '_%_'],
]);

/**
 * Some values are declared as strings and also compared with numbers, or vice versa (`alsoReadAs` in the catalog). Where
 * one is combined with a value of the other type, this inserts the intended conversion: `res.StatusCode >= 500` becomes
 * `int(res.StatusCode) >= 500`. Returns undefined if nothing needs a conversion.
 */
export function convertOpenValues(typed: TypedAst, variables: readonly VariableFact[]): Ast | undefined {
  const open = new Map(variables.flatMap(fact => (fact.alsoReadAs ? [[fact.path, fact.alsoReadAs] as const] : [])));
  if (open.size === 0) return undefined;
  const { ast } = typed;
  let { nextId } = ast;
  const convert = (operand: Expr, other: Expr | undefined): Expr => {
    const conversion = open.get(inputPathOf(typed, operand, { isField: ({ testOnly }) => !testOnly }) ?? '');
    if (conversion === undefined || !other || !MEANS[conversion](typed.types[other.id])) return operand;
    return conversionCall(conversion, operand, nextId++);
  };
  const rewrite = (expr: Expr): Expr => {
    const inner = mapChildren(expr, rewrite);
    if (inner.kind !== 'call' || !OPERATORS.has(inner.function)) return inner;
    const [left, right] = inner.args;
    return left && right ? { ...inner, args: [convert(left, right), convert(right, left)] } : inner;
  };
  const root = rewrite(ast.root);
  return nextId === ast.nextId ? undefined : { ...ast, root, nextId };
}

function conversionCall(name: string, operand: Expr, id: number): CallExpr {
  const { range } = operand;
  return { kind: 'call', id, range, function: name, functionRange: range, target: undefined, args: [operand] };
}

/** By the other type of an open value: does an operand call for that type? */
const MEANS = { int: isNumeric, string: isString } as const;

function isString(type: Type | undefined): boolean {
  return type?.kind === 'list' ? isString(type.element) : type?.kind === 'string';
}

function isNumeric(type: Type | undefined): boolean {
  if (type?.kind === 'list') return isNumeric(type.element);
  return type?.kind === 'int' || type?.kind === 'uint' || type?.kind === 'double';
}
