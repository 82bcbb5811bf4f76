import type { CallExpr, Expr } from '../../ast/ast.ts';
import type { Macro, MacroFactory } from './macro.ts';
import { isInNamespace } from './macro-argument.ts';

/** `math.greatest(…)` and `math.least(…)` with any number of arguments, or with one list. */
export const MATH_MACROS: readonly Macro[] = [
  extremum('greatest', 'math.@max', 'Returns the greatest of the numbers.'),
  extremum('least', 'math.@min', 'Returns the least of the numbers.'),
];

function extremum(name: string, functionName: string, doc: string): Macro {
  const expand = (make: MacroFactory, call: CallExpr): Expr | undefined => {
    if (!isInNamespace(call, 'math')) return undefined;
    const { args } = call;
    if (args.length === 0) return misuse(make, `expected at least one argument of \`math.${name}\``, call);
    const [only] = args as [Expr];
    if (args.length === 1) {
      if (isList(only) || mayBeNumber(only)) return make.call(functionName, args);
      return misuse(make, `expected a number or a non-empty list of numbers as argument of \`math.${name}\``, only);
    }
    const wrong = args.find(arg => !mayBeNumber(arg));
    if (wrong !== undefined) return misuse(make, `expected numbers as arguments of \`math.${name}\``, wrong);
    return make.call(functionName, args.length === 2 ? args : [make.list(args)]);
  };
  return { name, member: true, argCount: undefined, doc, expand };
}

function misuse(make: MacroFactory, message: string, at: CallExpr | Expr): Expr {
  return make.error('syntax/invalid-macro-argument', message, at.range);
}

function isList(expr: Expr): boolean {
  return expr.kind === 'list' && expr.elements.length > 0 && expr.elements.every(mayBeNumber);
}

/** Rejects only what cannot be a number syntactically; the checker does the rest. */
function mayBeNumber(expr: Expr): boolean {
  switch (expr.kind) {
    case 'literal':
      return expr.literal.type === 'int' || expr.literal.type === 'uint' || expr.literal.type === 'double';
    case 'list':
    case 'map':
    case 'struct':
      return false;
    default:
      return true;
  }
}
