// The directories whose code may run, and how to ask.

import { existsSync, lstatSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { ExternalError } from '@tollgate/diagnostics';
import { UsageError } from '../process/exit-code.ts';

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

/** What decides whether a module may run. */
export interface ModuleTrust {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The settings file that names the module; undefined if the command line does. */
  readonly namedIn: string | undefined;
  /** True if no module may run, trusted or not. */
  readonly runsNoCode?: true;
  /** Called for a module that may not run, with the settings file that names it. */
  readonly onUntrusted?: (error: UsageError, module: string, namedIn: string | undefined) => void;
}

/** Returns true if a module may run. For any other, calls `onUntrusted` with the reason, or throws it as {@link UsageError}. */
export function mayRun(module: string, { env, namedIn, runsNoCode, onUntrusted }: ModuleTrust): boolean {
  try {
    if (runsNoCode) throw new UsageError(`\`${module}\` does not run: the editor has not trusted this workspace`);
    requireTrust(module, env, namedIn);
    return true;
  } catch (error) {
    if (!onUntrusted || !(error instanceof UsageError)) throw error;
    onUntrusted(error, module, namedIn);
    return false;
  }
}

/** A trusted directory, by its real path. */
interface TrustedDirectory {
  readonly path: string;
  /** User id of its owner when it was trusted. A directory that another user has replaced is not trusted. */
  readonly owner: number;
}

/** A secret that the user allows a project to send to one URL. */
export interface TrustedSecret {
  /** Real path of the project file. */
  readonly project: string;
  /** User id of the owner of the project file. */
  readonly owner: number;
  readonly url: string;
  /** Where the secret comes from, such as `env TOLLGATE_API_KEY`. */
  readonly source: string;
  /** Hash of what else decides who receives it: headers and certificates. */
  readonly connection: string;
}

/** What a user trusts. */
export interface Trust {
  readonly directories: readonly TrustedDirectory[];
  readonly secrets: readonly TrustedSecret[];
}

const NO_TRUST: Trust = { directories: [], secrets: [] };

/** Returns the path of the file that lists the trusted directories; undefined if the user has no settings directory. */
export function trustFile(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const directory = configDirectory(env, process.platform);
  return directory === undefined ? undefined : join(directory, 'tollgate', 'trust.json');
}

/** As {@link trustFile}. @throws UsageError if there is none */
export function requireTrustFile(env: Readonly<Record<string, string | undefined>>): string {
  const path = trustFile(env);
  if (path === undefined) throw new UsageError('no user configuration directory; set `HOME` or `XDG_CONFIG_HOME`');
  return path;
}

/** Returns what the user trusts; nothing if the file is missing. Throws an {@link ExternalError} if others can write to the file. */
export function readTrust(path: string | undefined): Trust {
  if (path === undefined || !existsSync(path)) return NO_TRUST;
  const real = realpathSync(path);
  for (const one of [dirname(path), real, dirname(real)]) {
    const { uid, mode } = statSync(one);
    const isOwn = process.platform === 'win32' || (uid === process.geteuid?.() && (mode & 0o022) === 0);
    if (!isOwn) throw unreadable(path, `\`${one}\` is writable by other users`);
  }
  const trust = trustIn(path);
  if (!trust) throw unreadable(path, 'invalid contents');
  return trust;
}

function trustIn(path: string): Trust | undefined {
  try {
    const read = JSON.parse(readFileSync(path, 'utf8')) as Partial<Record<keyof Trust, unknown>>;
    const { directories, secrets = [] } = read;
    const isValid = Array.isArray(directories) && directories.every(isTrustedDirectory) && Array.isArray(secrets);
    return isValid && secrets.every(isTrustedSecret) ? { directories, secrets } : undefined;
  } catch {
    return undefined;
  }
}

function isTrustedDirectory(value: unknown): value is TrustedDirectory {
  const { path, owner } = (value ?? {}) as Partial<Record<keyof TrustedDirectory, unknown>>;
  return typeof path === 'string' && typeof owner === 'number';
}

function isTrustedSecret(value: unknown): value is TrustedSecret {
  const { project, owner, url, source, connection } = (value ?? {}) as Partial<Record<keyof TrustedSecret, unknown>>;
  return typeof owner === 'number' && [project, url, source, connection].every(one => typeof one === 'string');
}

function unreadable(path: string, reason: string): ExternalError {
  return new ExternalError('trust/unreadable', `cannot use the list of trusted directories \`${path}\`: ${reason}`);
}

/**
 * Returns the directory for user settings; undefined if the environment names none. Relative paths are ignored, because a repository could
 * choose them.
 */
export function configDirectory(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string | undefined {
  if (platform === 'win32') return env.APPDATA;
  const { XDG_CONFIG_HOME: config, HOME: home } = env;
  if (config && isAbsolute(config)) return config;
  return home && isAbsolute(home) ? join(home, '.config') : undefined;
}

/**
 * Returns the path of a file in a directory or the nearest one above it, up to the root of the repository. The search never enters a
 * directory of another owner or a world-writable one outside the repository, such as `/tmp`, where anyone could leave settings.
 */
export function searchUpward(name: string, from: string): string | undefined {
  return searchedDirectories(from)
    .map(directory => join(directory, name))
    .find(path => existsSync(path) && isSafe(path, from));
}

/** Returns the nearest directory with `.git` that a search from here reaches. */
export function repositoryRoot(from: string): string | undefined {
  return ownedAncestors(from).find(directory => isRoot(directory, from));
}

/** Returns the directories to search, from the given one upwards. */
function searchedDirectories(from: string): readonly string[] {
  const owned = ownedAncestors(from);
  const root = owned.findIndex(directory => isRoot(directory, from));
  if (root >= 0) return owned.slice(0, root + 1);
  const open = owned.findIndex((directory, index) => index > 0 && isWorldWritable(statSync(directory)));
  return open < 0 ? owned : owned.slice(0, open);
}

/** Returns a directory and those above it, until one has another owner. */
function ownedAncestors(from: string): readonly string[] {
  const ancestors = [from];
  for (let directory = dirname(from); directory !== ancestors.at(-1); directory = dirname(directory)) {
    const found = statSync(directory, { throwIfNoEntry: false });
    if (!found || !isOwn(found, from)) break;
    ancestors.push(directory);
  }
  return ancestors;
}

/** `.git` is a file in worktrees and submodules. One of another owner does not end the search. */
function isRoot(directory: string, from: string): boolean {
  const found = lstatSync(join(directory, '.git'), { throwIfNoEntry: false });
  return found !== undefined && isOwn(found, from);
}

/** In a world-writable directory, only the user's own files count. */
function isSafe(path: string, from: string): boolean {
  const file = lstatSync(path);
  return !isWorldWritable(statSync(dirname(path))) || isOwn(file, from) || file.uid === process.geteuid?.();
}

/** Returns true if a path has the owner of the start directory. Windows has no user ids. */
function isOwn({ uid }: Stats, from: string): boolean {
  return uid === statSync(from).uid;
}

/** Returns true if anybody can write. */
export function isWorldWritable({ mode }: Stats): boolean {
  return process.platform !== 'win32' && (mode & 0o002) !== 0;
}
