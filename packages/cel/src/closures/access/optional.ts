import type { CallExpr, Expr } from '../../ast/ast.ts';
import { optionalMember, taggedReader } from '../../runtime/host/access.ts';
import { DYN, optionalOf, type Type } from '../../types/type.ts';
import { NonValue, type Optional } from '../../values/value.ts';
import { type Code, type Compiler, locator } from '../code/code.ts';
import { convertCode } from '../code/conversion.ts';
import { compileWhole } from '../code/whole-code.ts';

/** `operand.?field` and `operand[?index]`. */
export function compileOptionalAccess(call: CallExpr, compiler: Compiler): Code {
  const [container, index] = call.args.map(arg =>
    convertCode(compiler.compile(arg), { from: compiler.typeOf(arg), to: DYN, exprId: call.id }),
  ) as [Code, Code];
  const type = compiler.typeOf(call);
  const read = taggedReader(type.kind === 'optional' ? type.value : DYN);
  const locate = locator(call.id);
  return (activation, locals) => {
    const from = container(activation, locals);
    if (from instanceof NonValue) return from;
    const at = index(activation, locals);
    if (at instanceof NonValue) return at;
    const outcome = optionalMember(from, at, read);
    return outcome instanceof NonValue ? locate(outcome) : outcome;
  };
}

/** `a.or(b)` and `a.orValue(b)`: the second operand is evaluated only if the first is empty. */
export function compileAlternative(call: CallExpr, overloadId: string, compiler: Compiler): Code | undefined {
  const unwraps = overloadId === 'optional_orValue_value';
  if (!unwraps && overloadId !== 'optional_or_optional') return undefined;
  const [target, alternative] = [call.target, call.args[0]] as readonly [Expr, Expr];
  const tagged = (expr: Expr, to: Type = DYN): Code =>
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
