import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ExternalError } from '@tollgate/diagnostics';
import { configDirectory } from './config-directory.ts';

/** A directory whose code may run, by its real path. */
export interface TrustedDirectory {
  readonly path: string;
  /** The user id of its owner at the time; one that was replaced by somebody else is not trusted. */
  readonly owner: number;
}

/** The file that holds the directories a user trusts; undefined where the user has no directory for settings. */
export function trustFile(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const directory = configDirectory(env, process.platform);
  return directory === undefined ? undefined : join(directory, 'tollgate', 'trust.json');
}

/** Reads the directories that a user trusts; none where the file is missing. Throws an {@link ExternalError} for a file that others could have written. */
export function readTrust(path: string): readonly TrustedDirectory[] {
  if (!existsSync(path)) return [];
  const real = realpathSync(path);
  for (const one of [dirname(path), real, dirname(real)]) {
    const { uid, mode } = statSync(one);
    const isOwn = process.platform === 'win32' || (uid === process.geteuid?.() && (mode & 0o022) === 0);
    if (!isOwn) throw unreadable(path, `\`${one}\` is writable by other users`);
  }
  const directories = directoriesIn(path);
  if (!directories) throw unreadable(path, 'invalid contents');
  return directories;
}

function directoriesIn(path: string): readonly TrustedDirectory[] | undefined {
  try {
    const { directories } = JSON.parse(readFileSync(path, 'utf8')) as { readonly directories?: unknown };
    return Array.isArray(directories) && directories.every(isTrustedDirectory) ? directories : undefined;
  } catch {
    return undefined;
  }
}

function isTrustedDirectory(value: unknown): value is TrustedDirectory {
  const { path, owner } = (value ?? {}) as Partial<Record<keyof TrustedDirectory, unknown>>;
  return typeof path === 'string' && typeof owner === 'number';
}

function unreadable(path: string, reason: string): ExternalError {
  return new ExternalError('trust/unreadable', `cannot use the list of trusted directories \`${path}\`: ${reason}`);
}
