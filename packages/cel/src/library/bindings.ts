import type { CallExpr, Expr } from '../ast/ast.ts';
import { DYN, listOf, paramType } from '../ast/types.ts';
import { bound, isInNamespace, type Macro, type MacroFactory, variableArgument } from '../syntax/macros.ts';
import { declare, type Library, overload } from './library.ts';

/** `cel.bind(name, value, expression)`. */
const BINDINGS_MACROS: readonly Macro[] = [
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

/** `cel.bind(name, value, expression)`. */
export const BINDINGS_LIBRARY: Library = { name: 'bindings', functions: [], macros: BINDINGS_MACROS, constants: [] };

/** `cel.block([e0, e1, …], e)` and its names `cel.index(n)`, `cel.iterVar(depth, n)`, `cel.accuVar(depth, n)`. */
const BLOCK_MACROS: readonly Macro[] = [
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

const T = paramType('T');

/** `cel.block([values], expression)`: common subexpressions, named by `cel.index(n)`. Written by optimizers. */
export const BLOCK_LIBRARY: Library = {
  name: 'block',
  functions: [
    declare(
      'cel.@block',
      'Returns the value of the second argument, in which `cel.index(n)` is the element at index n of the first.',
      overload('cel_block_list', [listOf(DYN), T], T),
    ),
  ],
  macros: BLOCK_MACROS,
  constants: [],
};
