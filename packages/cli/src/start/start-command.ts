import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { cacheDirectory } from '../process/cache-directory.ts';
import { isPrivateDirectory } from './private-directory.ts';

/** How to start the command from its sources or its bundle. */
export interface CommandStart {
  readonly process: NodeJS.Process;
  /** Folder of the compile cache. */
  readonly folder: 'bundle' | 'sources';
  /** Loads `main.ts`, after the compile cache is enabled. */
  readonly load: () => Promise<Pick<typeof import('../main.ts'), 'runCommandLine'>>;
}

/** Runs the command line of a process with Node's compile cache. Without a directory that only the user can write to, there is no cache. */
export async function startCommand({ process, folder, load }: CommandStart): Promise<void> {
  const caches = cacheDirectory(process.env, process.platform);
  const directory = caches === undefined ? undefined : join(caches, 'tollgate', folder);
  // Deno has no compile cache of this kind.
  if (directory !== undefined && isPrivateDirectory(directory)) enableCompileCache?.(directory);
  const { runCommandLine } = await load();
  await runCommandLine(process);
  // Exit now if nothing is pending: otherwise V8 first frees its heap, object by object.
  if (process.getActiveResourcesInfo().length === 0) process.exit();
}
