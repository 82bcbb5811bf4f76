import type { Expr } from '../../ast/ast.ts';
import { bound } from './bound.ts';
import type { Macro } from './macro.ts';
import { isInNamespace, variableArgument } from './macro-argument.ts';

/** `cel.bind(name, value, expression)`. */
export const BINDINGS_MACROS: readonly Macro[] = [
  {
    name: 'bind',
    member: true,
    argCount: 3,
    doc: 'Returns the value of the third argument, in which the name given first is bound to the second.',
    expand: (make, call) => {
      if (!isInNamespace(call, 'cel')) return undefined;
      const name = variableArgument(make, call, 0);
      if (typeof name !== 'string') return name;
      return bound(make, name, call.args[1] as Expr, call.args[2] as Expr);
    },
  },
];
