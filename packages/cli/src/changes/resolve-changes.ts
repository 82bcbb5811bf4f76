import { existsSync } from 'node:fs';
import type { ChangeOptions } from './change-options.ts';

/** The files and options of a command line. */
interface ResolvedChanges<T> {
  /** The working directory if no file is named. */
  readonly files: readonly string[];
  readonly options: T;
}

/** Reads `--changed policies` as `--changed` and a file if `policies` is a path and not a revision. */
export async function resolveChanges<T extends ChangeOptions>(
  files: readonly string[],
  options: T,
): Promise<ResolvedChanges<T>> {
  const { changed } = options;
  const isFile = typeof changed === 'string' && existsSync(changed) && !(await isCommit(changed));
  const named = isFile ? [changed, ...files] : files;
  return { files: named.length > 0 ? named : ['.'], options: isFile ? { ...options, changed: true } : options };
}

async function isCommit(revision: string): Promise<boolean> {
  const { commitAt } = await import('../git/changed-files.ts');
  return commitAt(process.cwd(), revision) !== undefined;
}
