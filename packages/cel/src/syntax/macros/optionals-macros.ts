import type { CallExpr, Expr } from '../../ast/ast.ts';
import { bound } from './bound.ts';
import type { Macro, MacroFactory } from './macro.ts';
import { variableArgument } from './macro-argument.ts';

/** `e.optMap(v, f)` and `e.optFlatMap(v, f)`. */
export const OPTIONALS_MACROS: readonly Macro[] = [
  {
    name: 'optMap',
    member: true,
    argCount: 2,
    doc: 'Applies the expression to the value of the optional and wraps the result; empty if the optional is empty.',
    expand: (make, call) => mapped(make, call, result => make.call('optional.of', [result])),
  },
  {
    name: 'optFlatMap',
    member: true,
    argCount: 2,
    doc: 'Applies the expression, which returns an optional, to the value of the optional; empty if the optional is empty.',
    expand: (make, call) => mapped(make, call, result => result),
  },
];

function mapped(make: MacroFactory, call: CallExpr, wrap: (result: Expr) => Expr): Expr {
  const name = variableArgument(make, call, 0);
  if (typeof name !== 'string') return name;
  const target = call.target as Expr;
  const value = make.call('value', [], make.copy(target));
  const result = bound(make, name, value, call.args[1] as Expr);
  return make.call('_?_:_', [make.call('hasValue', [], target), wrap(result), make.call('optional.none', [])]);
}
