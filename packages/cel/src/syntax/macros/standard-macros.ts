import type { CallExpr, Expr } from '../../ast/ast.ts';
import { all, exists, existsOne, filtered, type LoopParts } from './loops.ts';
import type { Macro, MacroFactory } from './macro.ts';
import { variableArgument } from './macro-argument.ts';

const has: Macro = {
  name: 'has',
  member: false,
  argCount: 1,
  doc: 'Returns true if the object `e` has the field, or the map `e` contains the key, in `has(e.field)`.',
  expand: (make, call) => {
    const arg = call.args[0] as Expr;
    if (arg.kind === 'error') return arg;
    if (arg.kind !== 'select') {
      return make.error('syntax/invalid-macro-argument', 'expected a field selection such as `has(a.b)`', arg.range);
    }
    return make.select(arg.operand, arg.field, { testOnly: true, fieldRange: arg.fieldRange });
  },
};

type Build = (make: MacroFactory, parts: LoopParts, args: readonly Expr[]) => Expr;

/** Returns a macro of the form `range.name(variable, …)`. */
function loopMacro(name: string, argCount: number, doc: string, build: Build): Macro {
  const expand = (make: MacroFactory, call: CallExpr): Expr => {
    const variable = variableArgument(make, call, 0);
    if (typeof variable !== 'string') return variable;
    return build(make, { iterVar: variable, iterRange: call.target as Expr }, call.args);
  };
  return { name, member: true, argCount, doc, expand };
}

const EXISTS_ONE_DOC = 'Returns true if the predicate holds for exactly one element.';

function map(make: MacroFactory, parts: LoopParts, filter: Expr | undefined, element: Expr): Expr {
  const add = make.call('_+_', [make.accumulator(), make.list([element])]);
  return filtered(make, { ...parts, accuInit: make.list([]) }, filter, add);
}

/** The macros of the specification. */
export const STANDARD_MACROS: readonly Macro[] = [
  has,
  loopMacro('all', 2, 'Returns true if the predicate holds for every element.', (make, parts, args) =>
    all(make, parts, args[1] as Expr),
  ),
  loopMacro('exists', 2, 'Returns true if the predicate holds for at least one element.', (make, parts, args) =>
    exists(make, parts, args[1] as Expr),
  ),
  loopMacro('exists_one', 2, EXISTS_ONE_DOC, (make, parts, args) => existsOne(make, parts, args[1] as Expr)),
  loopMacro('existsOne', 2, EXISTS_ONE_DOC, (make, parts, args) => existsOne(make, parts, args[1] as Expr)),
  loopMacro('map', 2, "Returns the list of the expression's values for each element.", (make, parts, args) =>
    map(make, parts, undefined, args[1] as Expr),
  ),
  loopMacro(
    'map',
    3,
    "Returns the list of the second expression's values for each element for which the first holds.",
    (make, parts, args) => map(make, parts, args[1], args[2] as Expr),
  ),
  loopMacro('filter', 2, 'Returns the elements for which the predicate holds.', (make, parts, args) =>
    map(make, parts, args[1], args[0] as Expr),
  ),
];
