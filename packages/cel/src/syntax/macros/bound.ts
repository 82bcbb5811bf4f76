import type { Expr } from '../../ast/ast.ts';
import type { MacroFactory } from './macro.ts';

/** Returns `expression` with `name` bound to `value`: a loop over an empty list whose accumulator is the name. */
export function bound(make: MacroFactory, name: string, value: Expr, expression: Expr): Expr {
  return make.comprehension({
    iterVar: '#unused',
    iterRange: make.list([]),
    accuVar: name,
    accuInit: value,
    loopCondition: make.bool(false),
    loopStep: make.ident(name),
    result: expression,
  });
}
