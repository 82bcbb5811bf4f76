import type { CallExpr, Expr } from '../../ast/ast.ts';
import type { MacroFactory } from './macro.ts';

/** Names of the accumulator, in this and older versions of CEL. */
const ACCUMULATORS: ReadonlySet<string> = new Set(['@result', '__result__']);

/** Returns the name of the variable that argument `index` declares, or an error node if it is not a name. */
export function variableArgument(make: MacroFactory, call: CallExpr, index: number): string | Expr {
  const arg = call.args[index] as Expr;
  if (arg.kind !== 'ident' || arg.name.startsWith('.')) {
    if (arg.kind === 'error') return arg;
    return make.error(
      'syntax/invalid-macro-argument',
      `expected a variable's name as ${ORDINALS[index]} argument of \`${call.function}\``,
      arg.range,
    );
  }
  if (ACCUMULATORS.has(arg.name)) {
    return make.error(
      'syntax/invalid-macro-argument',
      `\`${arg.name}\` is taken by \`${call.function}\` itself; expected another name`,
      arg.range,
    );
  }
  return arg.name;
}

const ORDINALS = ['first', 'second', 'third'];

/** Returns true if the call is `namespace.f(...)`. */
export function isInNamespace(call: CallExpr, namespace: string): boolean {
  return call.target?.kind === 'ident' && call.target.name === namespace;
}
