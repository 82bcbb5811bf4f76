import { realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import { UsageError } from '../process/usage-error.ts';
import { repositoryRoot } from './search-upward.ts';
import { readTrust, type TrustedDirectory, trustFile } from './trust-store.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Throws a {@link UsageError} unless the code in a file may run: because the run trusts all code, or because the file, and the one that
 * names it, are in directories that the user trusts. Every import of a file that a user supplies comes after this.
 *
 * @param namedIn the file of settings that names the module; undefined where the command line does
 */
export function requireTrust(module: string, env: Env, namedIn?: string): void {
  if (env.TOLLGATE_TRUST === '1') return;
  const store = trustFile(env);
  const trusted = store === undefined ? [] : readTrust(store);
  for (const file of [namedIn, module]) {
    const path = file === undefined ? undefined : realPathOf(file);
    if (path === undefined || trusted.some(directory => covers(directory, path))) continue;
    const directory = repositoryRoot(dirname(path)) ?? dirname(path);
    throw new UsageError(
      `\`${module}\` is in a directory that you have not trusted; ` +
        `review it, then run \`tollgate trust ${directory}\` once, or pass \`--trust\``,
    );
  }
}

/** Where a file really is, so that a link in a trusted directory does not bring in code from elsewhere. That of a missing file is its name. */
function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** Whether a file is below a directory that is still the one that was trusted. */
function covers({ path, owner }: TrustedDirectory, file: string): boolean {
  const way = relative(path, file);
  const isInside = way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  return isInside && statSync(path, { throwIfNoEntry: false })?.uid === owner;
}
