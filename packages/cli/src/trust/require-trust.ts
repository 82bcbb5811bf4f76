import { realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import { UsageError } from '../process/usage-error.ts';
import { repositoryRoot } from './search-upward.ts';
import { readTrust, type TrustedDirectory, trustFile } from './trust-store.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Throws a {@link UsageError} unless the code in a file may run: either the run trusts all code, or the user trusts the directories of the
 * file and of the one that names it. `TOLLGATE_TRUST=0` trusts no code, whatever the user has trusted. Call it before importing any user-supplied file.
 *
 * @param namedIn the settings file that names the module; undefined if the command line does
 */
export function requireTrust(module: string, env: Env, namedIn?: string): void {
  if (env.TOLLGATE_TRUST === '1') return;
  if (env.TOLLGATE_TRUST === '0') {
    throw new UsageError(`\`${module}\` does not run: \`TOLLGATE_TRUST=0\` trusts no code; remove the variable`);
  }
  if (env.TOLLGATE_TRUST === 'skip') throw new UsageError(`\`${module}\` does not run, because of \`--no-trust\``);
  const trusted = readTrust(trustFile(env)).directories;
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

/**
 * Returns true if the run trusts everything, or the user trusts the directory of a file.
 * Unlike {@link requireTrust}, it says nothing about code.
 */
export function isTrusted(file: string, env: Env): boolean {
  if (env.TOLLGATE_TRUST === '1') return true;
  if (env.TOLLGATE_TRUST === '0' || env.TOLLGATE_TRUST === 'skip') return false;
  const trusted = readTrust(trustFile(env)).directories;
  const path = realPathOf(file);
  return trusted.some(directory => covers(directory, path));
}

/** Returns the real path of a file, so that a link in a trusted directory cannot bring in other code. A missing file keeps its name. */
function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** Returns true if a file is below a trusted directory that has not been replaced. */
function covers({ path, owner }: TrustedDirectory, file: string): boolean {
  const way = relative(path, file);
  const isInside = way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  return isInside && statSync(path, { throwIfNoEntry: false })?.uid === owner;
}
