import * as regexSupport from '../../runtime/regex-support.ts';
import * as support from '../../runtime/support.ts';

/** The functions that generated code may name. */
export const RUNTIME: Readonly<Record<string, unknown>> = { ...support, ...regexSupport };

/** The entry of the package that a module imports a function of the runtime from. */
export function entryOf(name: string): string {
  return name in regexSupport ? '@tollgate/cel/runtime/regex' : '@tollgate/cel/runtime';
}
