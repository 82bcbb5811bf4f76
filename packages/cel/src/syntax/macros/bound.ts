import type { Expr } from '../../ast/ast.ts';
import type { MacroFactory } from './macro.ts';

/** `expression` with `name` standing for `value`: a loop over nothing, whose accumulator is the name. */
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
