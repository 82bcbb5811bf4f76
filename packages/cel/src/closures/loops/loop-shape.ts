import type { CallExpr, ComprehensionExpr, Expr } from '../../ast/ast.ts';
import type { Reference } from '../../ast/typed-ast.ts';

/** What a comprehension computes. Each macro expands to a shape of its own; `fold` is everything else. */
export type LoopShape =
  | { readonly kind: 'bind' }
  | { readonly kind: 'all' | 'exists' | 'one'; readonly predicate: Expr }
  | { readonly kind: 'list'; readonly filter: Expr | undefined; readonly element: Expr }
  | { readonly kind: 'entries'; readonly filter: Expr | undefined; readonly key: Expr; readonly value: Expr }
  | { readonly kind: 'merge'; readonly filter: Expr | undefined; readonly entry: Expr }
  | { readonly kind: 'fold' };

const FOLD: LoopShape = { kind: 'fold' };

/** Recognizes loops by structure rather than by macro name, since users may define macros with any name. */
export function loopShapeOf(loop: ComprehensionExpr, references: readonly (Reference | undefined)[]): LoopShape {
  const isAccumulator = (expr: Expr | undefined): boolean => {
    const reference = expr?.kind === 'ident' ? references[expr.id] : undefined;
    return reference?.kind === 'local' && reference.scope === loop.id && reference.name === loop.accuVar;
  };
  if (isLiteral(loop.loopCondition, false) && loop.iterRange.kind === 'list' && loop.iterRange.elements.length === 0) {
    return { kind: 'bind' };
  }
  // Only a fold allows the body to read the accumulator, which a name without `@` makes possible.
  if (!loop.accuVar.startsWith('@')) return FOLD;
  return quantifierOf(loop, isAccumulator) ?? collectionOf(loop, isAccumulator) ?? FOLD;
}

type IsAccumulator = (expr: Expr | undefined) => boolean;

function quantifierOf(loop: ComprehensionExpr, isAccumulator: IsAccumulator): LoopShape | undefined {
  const { accuInit, loopCondition, loopStep, result } = loop;
  const condition = argsOf(loopCondition, '@not_strictly_false')?.[0];
  if (isAccumulator(result) && condition !== undefined) {
    const [accumulator, predicate] = argsOf(loopStep, '_&&_') ?? [];
    if (isLiteral(accuInit, true) && isAccumulator(condition) && isAccumulator(accumulator) && predicate) {
      return { kind: 'all', predicate };
    }
    const [other, test] = argsOf(loopStep, '_||_') ?? [];
    const negated = argsOf(condition, '!_')?.[0];
    if (isLiteral(accuInit, false) && isAccumulator(negated) && isAccumulator(other) && test) {
      return { kind: 'exists', predicate: test };
    }
  }
  return isLiteral(loopCondition, true) ? oneOf(loop, isAccumulator) : undefined;
}

/** Recognizes a count that starts at 0 and is compared with 1. */
function oneOf({ accuInit, loopStep, result }: ComprehensionExpr, isAccumulator: IsAccumulator): LoopShape | undefined {
  const [predicate, increment, same] = argsOf(loopStep, '_?_:_') ?? [];
  const [count, one] = argsOf(increment, '_+_') ?? [];
  const [compared, wanted] = argsOf(result, '_==_') ?? [];
  const counts = isLiteral(accuInit, 0) && isAccumulator(same) && isAccumulator(count) && isLiteral(one, 1);
  if (!counts || predicate === undefined || !isAccumulator(compared) || !isLiteral(wanted, 1)) return undefined;
  return { kind: 'one', predicate };
}

function collectionOf(loop: ComprehensionExpr, isAccumulator: IsAccumulator): LoopShape | undefined {
  const { accuInit, loopCondition, loopStep, result } = loop;
  if (!isLiteral(loopCondition, true) || !isAccumulator(result)) return undefined;
  const [filter, filtered, same] = argsOf(loopStep, '_?_:_') ?? [];
  const step = isAccumulator(same) ? filtered : loopStep;
  const condition = isAccumulator(same) ? filter : undefined;
  if (accuInit.kind === 'list' && accuInit.elements.length === 0) {
    const [accumulator, added] = argsOf(step, '_+_') ?? [];
    if (!isAccumulator(accumulator) || added?.kind !== 'list') return undefined;
    const [element, another] = added.elements;
    if (element === undefined || another !== undefined || added.optionalIndices.length > 0) return undefined;
    return { kind: 'list', filter: condition, element };
  }
  if (accuInit.kind !== 'map' || accuInit.entries.length > 0) return undefined;
  const [accumulator, key, value] = argsOf(step, 'cel.@mapInsert') ?? [];
  if (!isAccumulator(accumulator) || key === undefined) return undefined;
  if (value === undefined) return { kind: 'merge', filter: condition, entry: key };
  return { kind: 'entries', filter: condition, key, value };
}

function argsOf(expr: Expr | undefined, name: string): CallExpr['args'] | undefined {
  return expr?.kind === 'call' && expr.function === name && expr.target === undefined ? expr.args : undefined;
}

function isLiteral(expr: Expr | undefined, value: boolean | number): boolean {
  return (
    expr?.kind === 'literal' &&
    expr.literal.value === value &&
    expr.literal.type !== 'double' &&
    expr.literal.type !== 'uint'
  );
}
