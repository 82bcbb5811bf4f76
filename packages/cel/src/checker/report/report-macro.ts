import type { CallExpr } from '../../ast/ast.ts';
import { ERROR_TYPE, type Type } from '../../types/type.ts';
import type { CheckContext } from '../context/check-context.ts';
import { report } from './report.ts';

/**
 * Reports a call with a macro's name that was not expanded because the number of arguments is wrong; returns undefined for other calls. The
 * arguments must not be checked, because they use variables that only the macro declares.
 */
export function reportUnexpandedMacro(c: CheckContext, call: CallExpr): Type | undefined {
  const member = call.target !== undefined;
  const macros = [...c.env.macros.values()].filter(macro => macro.name === call.function && macro.member === member);
  if (macros.length === 0) return undefined;
  // If the source ends within the arguments, their number means nothing.
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
