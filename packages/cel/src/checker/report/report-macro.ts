import type { CallExpr } from '../../ast/ast.ts';
import { ERROR_TYPE, type Type } from '../../types/type.ts';
import type { Checking } from '../context/checking.ts';
import { report } from './report.ts';

/**
 * Reports a call that bears a macro's name but was not expanded, because the macro takes another number of arguments; gives undefined for
 * any other call. The arguments are not to be looked at: they are written for variables that only the macro would declare.
 */
export function reportUnexpandedMacro(c: Checking, call: CallExpr): Type | undefined {
  const member = call.target !== undefined;
  const macros = [...c.env.macros.values()].filter(macro => macro.name === call.function && macro.member === member);
  if (macros.length === 0) return undefined;
  // Of arguments that the text breaks off in, the number says nothing.
  if (call.args.some(arg => arg.kind === 'error')) return ERROR_TYPE;
  const accepted = macros.flatMap(({ argCount }) => argCount ?? []).sort((a, b) => a - b);
  const plural = accepted.length === 1 && accepted[0] === 1 ? 'argument' : 'arguments';
  return report(c, {
    code: 'type/wrong-argument-count',
    message: `\`${call.function}\` takes ${accepted.join(' or ')} ${plural}, found ${call.args.length}`,
    range: call.functionRange,
    args: { function: call.function, expected: accepted.map(String), found: call.args.length },
  });
}
