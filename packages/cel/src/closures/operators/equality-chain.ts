import type { CallExpr, Expr, LiteralExpr } from '../../ast/ast.ts';
import { pathKey } from '../access/path.ts';
import type { Code, Compiler } from '../code/code.ts';
import { amongLiterals, notAmongLiterals } from './membership.ts';

/** A comparison of a path with a literal of its static type, where equality is identity. */
interface Comparison {
  readonly key: string;
  readonly path: Expr;
  readonly literal: LiteralExpr;
}

/**
 * Merges comparisons of the same path into membership tests: `p == "a" || p == "b"`, or `p != "a" && p != "b"`. Returns the operands in
 * order, each group at the position of its first member. The outcome is the same, because reading the path again would return the same
 * error or unknown.
 */
export function mergeEqualities(
  operands: readonly { readonly expr: Expr; readonly compile: () => Code }[],
  operator: '_==_' | '_!=_',
  compiler: Compiler,
): readonly Code[] {
  const groups = new Map<string, Comparison[]>();
  for (const { expr } of operands) {
    const comparison = comparisonOf(expr, operator, compiler);
    if (comparison !== undefined) groups.set(comparison.key, [...(groups.get(comparison.key) ?? []), comparison]);
  }
  const done = new Set<string>();
  return operands.flatMap(({ expr, compile }) => {
    const comparison = comparisonOf(expr, operator, compiler);
    const group = comparison === undefined ? undefined : groups.get(comparison.key);
    if (comparison === undefined || group === undefined || group.length === 1) return [compile()];
    if (done.has(comparison.key)) return [];
    done.add(comparison.key);
    const literals = new Set(group.map(({ literal }) => literal.literal.value));
    const code = compiler.compile(comparison.path);
    return [operator === '_==_' ? amongLiterals(code, literals) : notAmongLiterals(code, literals)];
  });
}

function comparisonOf(expr: Expr, operator: string, compiler: Compiler): Comparison | undefined {
  if (expr.kind !== 'call' || expr.function !== operator) return undefined;
  const [left, right] = (expr as CallExpr).args as readonly [Expr, Expr];
  const [path, literal] = left.kind === 'literal' ? [right, left] : [left, right];
  if (literal.kind !== 'literal' || literal.literal.type !== compiler.typeOf(path).kind) return undefined;
  if (!COMPARED_BY_IDENTITY.has(literal.literal.type)) return undefined;
  const key = pathKey(path, compiler);
  return key === undefined ? undefined : { key, path, literal };
}

const COMPARED_BY_IDENTITY: ReadonlySet<string> = new Set(['string', 'int', 'uint']);
