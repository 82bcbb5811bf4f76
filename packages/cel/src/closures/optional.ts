import { NonValue, type Optional } from '../runtime/value.ts';
import type { CallExpr, Expr } from '../syntax/ast.ts';
import { DYN, optionalOf } from '../types/type.ts';
import { type Code, type Compiler, locator } from './code.ts';
import { convertCode } from './conversion.ts';
import { optionalMember } from './member.ts';
import { compileWhole } from './whole-code.ts';

/** `operand.?field`. */
export function compileOptionalSelect(call: CallExpr, compiler: Compiler): Code {
  const [operand, name] = call.args as readonly [Expr, Expr];
  const field = name.kind === 'literal' ? String(name.literal.value) : '';
  const from = compiler.typeOf(operand);
  const container = convertCode(compiler.compile(operand), { from, to: DYN, exprId: call.id });
  const locate = locator(call.id);
  return (activation, locals) => {
    const value = container(activation, locals);
    if (value instanceof NonValue) return value;
    const outcome = optionalMember(value, field);
    return outcome instanceof NonValue ? locate(outcome) : outcome;
  };
}

/** `a.or(b)` and `a.orValue(b)`: the second operand runs only when the first holds nothing. */
export function compileAlternative(call: CallExpr, overloadId: string, compiler: Compiler): Code | undefined {
  const unwraps = overloadId === 'optional_orValue_value';
  if (!unwraps && overloadId !== 'optional_or_optional') return undefined;
  const [target, alternative] = [call.target, call.args[0]] as readonly [Expr, Expr];
  const tagged = (expr: Expr, to = DYN): Code =>
    convertCode(compileWhole(expr, compiler), { from: compiler.typeOf(expr), to, exprId: call.id });
  const optional = tagged(target, optionalOf(DYN));
  const otherwise = unwraps ? tagged(alternative) : tagged(alternative, optionalOf(DYN));
  const code: Code = (activation, locals) => {
    const outcome = optional(activation, locals);
    if (outcome instanceof NonValue) return outcome;
    const { value } = outcome as Optional;
    if (value === undefined) return otherwise(activation, locals);
    return unwraps ? value : outcome;
  };
  return convertCode(code, { from: unwraps ? DYN : optionalOf(DYN), to: compiler.typeOf(call), exprId: call.id });
}
