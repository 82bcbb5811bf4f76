import { createContext, Script } from 'node:vm';
import type { Fence, Fenced } from '@tollgate/lint';

/** Seconds after which a lint rule is taken not to return from a file. Those of Tollgate take milliseconds. */
const RULE_TIMEOUT = 10;

/**
 * Stops code that runs longer than this. The engine has one way to end a loop: a time limit on a script, which holds for all functions
 * that the script calls.
 */
export function createRuleFence(seconds = RULE_TIMEOUT): Fence {
  let script: Script | undefined;
  return <T>(run: () => T) => {
    script ??= new Script('run()');
    let outcome: Fenced<T> = { isFinished: false };
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
      // Only the limit gets here: the end that it makes cannot be caught inside.
      return { isFinished: false };
    }
    if (thrown) throw thrown.error;
    return outcome;
  };
}
