import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ExternalError } from '@tollgate/diagnostics';
import { configDirectory } from './config-directory.ts';

/** A trusted directory, by its real path. */
export interface TrustedDirectory {
  readonly path: string;
  /** User id of its owner when it was trusted. A directory that another user has replaced is not trusted. */
  readonly owner: number;
}

/** Returns the path of the file that lists the trusted directories; undefined if the user has no settings directory. */
export function trustFile(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const directory = configDirectory(env, process.platform);
  return directory === undefined ? undefined : join(directory, 'tollgate', 'trust.json');
}

/** Returns the trusted directories; none if the file is missing. Throws an {@link ExternalError} if others can write to the file. */
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
