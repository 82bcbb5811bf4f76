import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ExternalError } from '@tollgate/diagnostics';
import { UsageError } from '../process/usage-error.ts';
import { configDirectory } from './config-directory.ts';

/** A trusted directory, by its real path. */
export interface TrustedDirectory {
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

const NOTHING: Trust = { directories: [], secrets: [] };

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
  if (path === undefined || !existsSync(path)) return NOTHING;
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
