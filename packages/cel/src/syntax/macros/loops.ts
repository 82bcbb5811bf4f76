import type { Expr } from '../../ast/ast.ts';
import type { MacroFactory } from './macro.ts';

/** The range of a loop and the names of its variables. */
export interface LoopParts {
  readonly iterVar: string;
  readonly iterVar2?: string;
  readonly iterRange: Expr;
}

export function all(make: MacroFactory, parts: LoopParts, predicate: Expr): Expr {
  return make.comprehension({
    ...parts,
    accuInit: make.bool(true),
    loopCondition: make.call('@not_strictly_false', [make.accumulator()]),
    loopStep: make.call('_&&_', [make.accumulator(), predicate]),
    result: make.accumulator(),
  });
}

export function exists(make: MacroFactory, parts: LoopParts, predicate: Expr): Expr {
  return make.comprehension({
    ...parts,
    accuInit: make.bool(false),
    loopCondition: make.call('@not_strictly_false', [make.call('!_', [make.accumulator()])]),
    loopStep: make.call('_||_', [make.accumulator(), predicate]),
    result: make.accumulator(),
  });
}

export function existsOne(make: MacroFactory, parts: LoopParts, predicate: Expr): Expr {
  const increment = make.call('_+_', [make.accumulator(), make.int(1)]);
  return make.comprehension({
    ...parts,
    accuInit: make.int(0),
    loopCondition: make.bool(true),
    loopStep: make.call('_?_:_', [predicate, increment, make.accumulator()]),
    result: make.call('_==_', [make.accumulator(), make.int(1)]),
  });
}

/** Returns a loop that runs `step` for every element, or for those that pass `filter`. */
export function filtered(
  make: MacroFactory,
  parts: LoopParts & { readonly accuInit: Expr },
  filter: Expr | undefined,
  step: Expr,
): Expr {
  return make.comprehension({
    ...parts,
    loopCondition: make.bool(true),
    loopStep: filter === undefined ? step : make.call('_?_:_', [filter, step, make.accumulator()]),
    result: make.accumulator(),
  });
}
