import type { CallExpr, ComprehensionExpr, Expr } from '../../ast/ast.ts';

/** What a comprehension computes, recognized by structure rather than by macro name, since users may define macros with any name. */
export type FoldShape =
  /** `cel.bind`: not a loop. */
  | { readonly kind: 'bind' }
  | { readonly kind: 'all' | 'exists'; readonly predicate: Expr }
  | { readonly kind: 'one'; readonly predicate: Expr }
  /** A list of `element` for each iteration that passes `filter`. */
  | { readonly kind: 'list'; readonly filter: Expr | undefined; readonly element: Expr }
  /** A map built by `cel.@mapInsert` from entries, or from maps of entries. */
  | { readonly kind: 'map'; readonly filter: Expr | undefined; readonly insertion: CallExpr }
  | { readonly kind: 'fold' };

export function foldShapeOf(node: ComprehensionExpr): FoldShape {
  const { iterRange, loopCondition, accuInit } = node;
  if (iterRange.kind === 'list' && iterRange.elements.length === 0 && isLiteral(loopCondition, false))
    return { kind: 'bind' };
  const quantifier = quantifierOf(node);
  if (quantifier !== undefined) return quantifier;
  if (!isLiteral(loopCondition, true)) return { kind: 'fold' };
  if (isLiteral(accuInit, 0)) return countOf(node) ?? { kind: 'fold' };
  if (!isAccumulator(node, node.result)) return { kind: 'fold' };
  return collectionOf(node) ?? { kind: 'fold' };
}

function quantifierOf(node: ComprehensionExpr): FoldShape | undefined {
  const { loopStep, loopCondition } = node;
  if (!isAccumulator(node, node.result) || !isCall(loopCondition, '@not_strictly_false')) return undefined;
  if (loopStep.kind !== 'call' || !isAccumulator(node, loopStep.args[0])) return undefined;
  const predicate = loopStep.args[1] as Expr;
  const [asked] = loopCondition.args;
  if (loopStep.function === '_&&_' && isLiteral(node.accuInit, true) && isAccumulator(node, asked)) {
    return { kind: 'all', predicate };
  }
  const negated = asked !== undefined && isCall(asked, '!_') && isAccumulator(node, asked.args[0]);
  return loopStep.function === '_||_' && isLiteral(node.accuInit, false) && negated
    ? { kind: 'exists', predicate }
    : undefined;
}

/** Recognizes `predicate ? accu + 1 : accu`, with `accu == 1` as the result. */
function countOf(node: ComprehensionExpr): FoldShape | undefined {
  const { loopStep, result } = node;
  if (!isCall(result, '_==_') || !isAccumulator(node, result.args[0]) || !isLiteral(result.args[1], 1))
    return undefined;
  if (!isCall(loopStep, '_?_:_') || !isAccumulator(node, loopStep.args[2])) return undefined;
  const [predicate, step] = loopStep.args as readonly [Expr, Expr];
  const increments = isCall(step, '_+_') && isAccumulator(node, step.args[0]) && isLiteral(step.args[1], 1);
  return increments ? { kind: 'one', predicate } : undefined;
}

function collectionOf(node: ComprehensionExpr): FoldShape | undefined {
  const { loopStep, accuInit } = node;
  const filtered = isCall(loopStep, '_?_:_') && isAccumulator(node, loopStep.args[2]);
  const [filter, step] = filtered ? (loopStep.args as readonly [Expr, Expr]) : [undefined, loopStep];
  if (step.kind !== 'call' || !isAccumulator(node, step.args[0])) return undefined;
  if (accuInit.kind === 'list' && accuInit.elements.length === 0 && step.function === '_+_') {
    const [, added] = step.args;
    if (added?.kind !== 'list' || added.elements.length !== 1 || added.optionalIndices.length > 0) return undefined;
    return { kind: 'list', filter, element: added.elements[0] as Expr };
  }
  const empty = accuInit.kind === 'map' && accuInit.entries.length === 0;
  return empty && step.function === 'cel.@mapInsert' ? { kind: 'map', filter, insertion: step } : undefined;
}

function isAccumulator(node: ComprehensionExpr, expr: Expr | undefined): boolean {
  return expr?.kind === 'ident' && expr.name === node.accuVar;
}

function isCall(expr: Expr, name: string): expr is CallExpr {
  return expr.kind === 'call' && expr.function === name;
}

function isLiteral(expr: Expr | undefined, value: boolean | number): boolean {
  return expr?.kind === 'literal' && expr.literal.value === value;
}
