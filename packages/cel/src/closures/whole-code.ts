import { nonValueIn } from '../runtime/partial.ts';
import { NonValue } from '../runtime/value.ts';
import type { Expr } from '../syntax/ast.ts';
import type { Type } from '../types/type.ts';
import { type Code, type Compiler, locator } from './code.ts';

/** As {@link compileWhole}, for a parameter: what it cannot be a part of is not searched for unknown parts. */
export function compileWholeFor(param: Type, expr: Expr, compiler: Compiler): Code {
  return mayBePartial(param) ? compileWhole(expr, compiler) : compiler.compile(expr);
}

/** Compiles an expression whose whole value is needed: a value of which parts are unknown is unknown. */
export function compileWhole(expr: Expr, compiler: Compiler): Code {
  const code = compiler.compile(expr);
  if (!givesHostData(expr) || !mayBePartial(compiler.typeOf(expr)) || compiler.constantOf(code) !== undefined)
    return code;
  const locate = locator(expr.id);
  return (activation, locals) => {
    const outcome = code(activation, locals);
    if (outcome instanceof NonValue) return outcome;
    const part = nonValueIn(outcome);
    return part === undefined ? outcome : locate(part);
  };
}

/** Whether the value may hold something of the host's that no function has taken whole: calls give whole values. */
function givesHostData(expr: Expr): boolean {
  switch (expr.kind) {
    case 'ident':
    case 'select':
    case 'comprehension':
      return true;
    case 'call':
      return PASSING.has(expr.function);
    case 'list':
      return expr.elements.some(givesHostData);
    case 'map':
      return expr.entries.some(({ value }) => givesHostData(value));
    case 'struct':
      return expr.fields.some(({ value }) => givesHostData(value));
    default:
      return false;
  }
}

const PASSING: ReadonlySet<string> = new Set(['_[_]', '_?_:_', '_?._', '_[?_]', 'cel.@block']);

/** Whether a value of the type may have unknown parts: the search for them is left out where it may not. */
function mayBePartial(type: Type): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'param':
    case 'error':
    case 'object':
    case 'map':
    case 'list':
      return true;
    case 'optional':
      return mayBePartial(type.value);
    default:
      return false;
  }
}
