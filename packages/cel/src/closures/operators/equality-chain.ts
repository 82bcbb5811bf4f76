import type { CallExpr, Expr, LiteralExpr } from '../../ast/ast.ts';
import { pathKey } from '../access/path.ts';
import type { Code, Compiler } from '../code/code.ts';
import { amongLiterals, notAmongLiterals } from './membership.ts';

/** A path compared with a literal of its static type, where being equal is being identical. */
interface Comparison {
  readonly key: string;
  readonly path: Expr;
  readonly literal: LiteralExpr;
}

/**
 * In a disjunction `p == "a" || p == "b"` asks whether `p` is among literals, in a conjunction `p != "a" && p != "b"`
 * whether it is not. Gives the operands in their order, such groups compiled as one in the place of their first; the
 * outcome is the same, since reading the same path gives the same error or unknown each time.
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
