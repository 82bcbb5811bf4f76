import type { Range } from '@tollgate/diagnostics';
import type { Type } from '../../types/type.ts';
import type { CheckContext } from '../context/check-context.ts';
import { nearest } from './did-you-mean.ts';
import { report, suggest } from './report.ts';

/** @param name of a variable, possibly qualified; `range` is its source range */
export function reportUndeclaredVariable(c: CheckContext, name: string, range: Range): Type {
  const { hint, ...rest } = suggest(nearest(name, namesInScope(c)), range, name);
  return report(c, {
    ...rest,
    code: 'name/undeclared-reference',
    message: `\`${name}\` is not declared${hint}`,
    range,
    args: { name, ...rest.args },
  });
}

function namesInScope(c: CheckContext): string[] {
  const names = [...c.env.variables.keys()];
  for (let scope = c.scope; scope !== undefined; scope = scope.outer) {
    // Names that macros generate are not suggested.
    if (!scope.name.startsWith('@')) names.push(scope.name);
  }
  return names;
}

export function reportUndeclaredField(
  c: CheckContext,
  access: { readonly field: string; readonly range: Range },
  typeName: string,
): Type {
  const fields = c.env.objects.get(typeName)?.fields.keys() ?? [];
  const { hint, ...rest } = suggest(nearest(access.field, fields), access.range, access.field);
  return report(c, {
    ...rest,
    code: 'name/undeclared-field',
    message: `\`${typeName}\` has no field \`${access.field}\`${hint}`,
    range: access.range,
    args: { field: access.field, type: typeName, ...rest.args },
  });
}

/** The called name and its range. */
interface CalledName {
  readonly name: string;
  readonly member: boolean;
  readonly range: Range;
}

export function reportUndeclaredFunction(c: CheckContext, { name, member, range }: CalledName): Type {
  const candidates = [...c.env.index.callables.values()].filter(f => (member ? f.member : f.global).length > 0);
  const macros = [...c.env.macros.values()].filter(macro => macro.member === member);
  const names = [...candidates.map(f => f.declaration.name), ...macros.map(macro => macro.name)];
  const words = names.filter(word => /^[A-Za-z]/.test(word));
  const { hint, ...rest } = suggest(nearest(name, words), range, name);
  return report(c, {
    ...rest,
    code: 'name/undeclared-function',
    message: `unknown ${member ? 'method' : 'function'} \`${name}\`${hint}`,
    range,
    args: { name, member, ...rest.args },
  });
}
