// A time limit for calls of user-supplied code.

import { createContext, Script } from 'node:vm';
import type { RunWithTimeout, Timed } from '@tollgate/lint';

/** Default time limit of a lint rule for one file, in seconds. Built-in lint rules take milliseconds. */
const RULE_TIMEOUT = 10;

/**
 * Returns a function that stops code after this time. Only a time limit on a script can interrupt a loop in V8; it covers all functions
 * that the script calls.
 */
export function createTimeout(seconds = RULE_TIMEOUT): RunWithTimeout {
  let script: Script | undefined;
  return <T>(run: () => T) => {
    script ??= new Script('run()');
    let outcome: Timed<T> = { isFinished: false };
    let thrown: { readonly error: unknown } | undefined;
    const context = createContext({
      run: () => {
        try {
          outcome = { isFinished: true, value: run() };
        } catch (error) {
          thrown = { error };
        }
      },
    });
    try {
      script.runInContext(context, { timeout: seconds * 1000 });
    } catch {
      // Only the time limit gets here, because code cannot catch it.
      return { isFinished: false };
    }
    if (thrown) throw thrown.error;
    return outcome;
  };
}
