import type { Expr } from '../../ast/ast.ts';
import { givesHostData, mayBePartial } from '../../lowering/partial-values.ts';
import { nonValueIn } from '../../runtime/host/partial.ts';
import type { Type } from '../../types/type.ts';
import { NonValue } from '../../values/value.ts';
import { type Code, type Compiler, locator } from './code.ts';

/** Like {@link compileWhole}, for a parameter: types that cannot contain unknown parts are not searched for them. */
export function compileWholeFor(param: Type, expr: Expr, compiler: Compiler): Code {
  return mayBePartial(param) ? compileWhole(expr, compiler) : compiler.compile(expr);
}

/** Compiles an expression whose whole value is needed: a value with unknown parts is unknown. */
export function compileWhole(expr: Expr, compiler: Compiler): Code {
  const code = compiler.compile(expr);
  if (!givesHostData(expr) || !mayBePartial(compiler.typeOf(expr)) || compiler.constantOf(code) !== undefined)
    return code;
  const locate = locator(expr.id);
  const { context } = compiler;
  compiler.takesSteps();
  return (activation, locals) => {
    const outcome = code(activation, locals);
    if (outcome instanceof NonValue) return outcome;
    const part = nonValueIn(context, outcome);
    return part === undefined ? outcome : locate(part);
  };
}
