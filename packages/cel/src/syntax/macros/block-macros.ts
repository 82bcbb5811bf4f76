import type { CallExpr, Expr } from '../../ast/ast.ts';
import type { Macro, MacroFactory } from './macro.ts';
import { isInNamespace } from './macro-argument.ts';

/** `cel.block([e0, e1, …], e)` and its names `cel.index(n)`, `cel.iterVar(depth, n)`, `cel.accuVar(depth, n)`. */
export const BLOCK_MACROS: readonly Macro[] = [
  {
    name: 'block',
    member: true,
    argCount: 2,
    doc: 'Returns the value of the second argument, in which `cel.index(n)` is element `n` of the list given first.',
    expand: (make, call) => {
      if (!isInNamespace(call, 'cel')) return undefined;
      const [bindings, expression] = call.args as [Expr, Expr];
      if (bindings.kind !== 'list') {
        return make.error(
          'syntax/invalid-macro-argument',
          'expected a list of expressions as first argument of `cel.block`',
          bindings.range,
        );
      }
      return make.call('cel.@block', [bindings, expression]);
    },
  },
  numbered('index', 1, numbers => `@index${numbers[0]}`),
  numbered('iterVar', 2, numbers => `@it:${numbers.join(':')}`),
  numbered('accuVar', 2, numbers => `@ac:${numbers.join(':')}`),
];

function numbered(name: string, argCount: number, toName: (numbers: readonly number[]) => string): Macro {
  const expand = (make: MacroFactory, call: CallExpr): Expr | undefined => {
    if (!isInNamespace(call, 'cel')) return undefined;
    const numbers: number[] = [];
    for (const arg of call.args) {
      const number = indexValue(arg);
      if (number === undefined) {
        return make.error(
          'syntax/invalid-macro-argument',
          `expected a non-negative int literal as argument of \`cel.${name}\``,
          arg.range,
        );
      }
      numbers.push(number);
    }
    return make.ident(toName(numbers), call.range);
  };
  return {
    name,
    member: true,
    argCount,
    doc: 'A name as the common subexpression optimizer generates it.',
    expand,
    readsLiterals: true,
  };
}

function indexValue(expr: Expr): number | undefined {
  if (expr.kind !== 'literal' || expr.literal.type !== 'int') return undefined;
  const { value } = expr.literal;
  return typeof value === 'number' && value >= 0 ? value : undefined;
}
