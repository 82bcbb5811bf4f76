// Starts the command line of a process, from sources or from a bundle with a cache of its compiled code.

import { join } from 'node:path';
import { CodeCache, cacheDirectory, isPrivateDirectory } from './process/code-cache.ts';

/** Identifies the bundle that contains this module; replaced when the bundle is written. */
const BUILD = 'BUILD-OF-THE-BUNDLE';

/** How to start the command. */
export interface CommandStart {
  readonly process: NodeJS.Process;
  readonly load: () => Promise<Pick<typeof import('./main.ts'), 'runCommandLine'>>;
}

/** Runs the command line of a process. */
export async function startCommand({ process, load }: CommandStart): Promise<void> {
  const { runCommandLine } = await load();
  await runCommandLine(process);
  // Exit now if nothing is pending: otherwise V8 first frees its heap, object by object.
  if (process.getActiveResourcesInfo().length === 0) process.exit();
}

/** A bundle, and the program that starts it. */
export interface BundleStart extends Pick<CommandStart, 'process'> {
  /** Directory of the bundle. */
  readonly directory: string;
  readonly require: NodeJS.Require;
}

/** Runs the command line of a process from a bundle, with a cache of its compiled code if only the user can write to the directory. */
export async function startBundle({ process, directory, require }: BundleStart): Promise<void> {
  const cache = openCache(process);
  if (cache) {
    cache.install(require.extensions, directory);
    process.once('exit', () => cache.save());
  }
  await startCommand({ process, load: async () => require(join(directory, 'main.cjs')) });
}

/** Bun and Deno have caches of their own, or none. */
function openCache({ env, platform, version, versions, arch }: NodeJS.Process): CodeCache | undefined {
  const caches = versions.bun || versions.deno ? undefined : cacheDirectory(env, platform);
  if (caches === undefined) return undefined;
  const directory = join(caches, 'tollgate', 'code');
  return isPrivateDirectory(directory) ? new CodeCache(join(directory, `${BUILD}-${version}-${arch}`)) : undefined;
}
