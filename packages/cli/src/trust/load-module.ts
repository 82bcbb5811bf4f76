// Loads modules of a project, if they may run.

import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ExternalError } from '@tollgate/diagnostics';
import type { RunWithTimeout } from '@tollgate/lint';
import { type ModuleTrust, mayRun } from './trusted-directories.ts';

/** How to load a module of the user. */
export interface ModuleLoading extends ModuleTrust {
  /** Limits the time that loading takes. Undefined if the module was loaded before, in an earlier generation. */
  readonly runWithTimeout?: RunWithTimeout | undefined;
  /** Distinguishes the generations of a module that is loaded again after a change. */
  readonly query?: string;
}

/**
 * Loads a module that a user wrote, and returns its exports; undefined if it may not run and is skipped. Throws an `ExternalError` if it
 * fails to load, does not finish in time, or uses top-level `await`, which no time limit can interrupt.
 */
export async function loadModule(
  path: string,
  loading: ModuleLoading,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { runWithTimeout, query = '' } = loading;
  if (!mayRun(path, loading)) return undefined;
  const fail = (reason: string, options?: ErrorOptions) =>
    new ExternalError('settings/module', `cannot load \`${path}\`: ${reason}`, options);
  const problem = runWithTimeout && problemWhileLoading(resolve(path), runWithTimeout);
  if (problem !== undefined) throw fail(problem);
  try {
    return (await import(pathToFileURL(resolve(path)).href + query)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw fail(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Loads a module with `require`, which can be interrupted; `import` then finds it loaded, or reports what is wrong with it. */
function problemWhileLoading(path: string, runWithTimeout: RunWithTimeout): string | undefined {
  const require = createRequire(import.meta.url);
  try {
    const { isFinished } = runWithTimeout(() => require(path));
    return isFinished ? undefined : 'the module did not finish loading in time, and was stopped';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ERR_REQUIRE_ASYNC_MODULE'
      ? 'the module uses top-level `await`, which cannot be stopped; load what it needs without `await`'
      : undefined;
  }
}
