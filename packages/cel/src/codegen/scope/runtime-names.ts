import * as regexSupport from '../../runtime/regex-support.ts';
import * as support from '../../runtime/support.ts';

/** The functions that generated code may call. */
export const RUNTIME: Readonly<Record<string, unknown>> = { ...support, ...regexSupport };

/** Returns the entry point that exports a function of the runtime. */
export function entryOf(name: string): string {
  return name in regexSupport ? '@tollgate/cel/runtime/regex' : '@tollgate/cel/runtime';
}
