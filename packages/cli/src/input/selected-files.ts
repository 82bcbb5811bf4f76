// Which of the files that arguments name are to be processed: all, or those that changed.

import { existsSync } from 'node:fs';
import { formatCount } from '@tollgate/reports';
import { printMessage, type Terminal } from '../process/terminal.ts';
import type { ChangeOptions, FileSelection } from './input-options.ts';
import type { LoadedSettings } from './load-settings.ts';

/** What decides which files changed. */
interface Selecting {
  readonly options: ChangeOptions;
  readonly loaded: Pick<LoadedSettings, 'project' | 'sources'>;
  readonly terminal: Terminal;
}

/** Returns which files `--changed` and `--staged` select; undefined if all are. Without them, nothing that runs Git is loaded. */
export async function selectedFiles({ options, loaded, terminal }: Selecting): Promise<FileSelection | undefined> {
  if (options.changed === undefined && !options.staged) return undefined;
  const { selectChanged } = await import('./git.ts');
  return selectChanged(options, loaded, terminal);
}

/** Returns the files that `--changed` and `--staged` select, and says so if they select none. */
export async function selectInputs<T extends { readonly path: string }>(
  inputs: readonly T[],
  selecting: Selecting,
): Promise<readonly T[]> {
  const isSelected = await selectedFiles(selecting);
  const selected = isSelected ? inputs.filter(({ path }) => isSelected(path)) : inputs;
  if (selected.length === 0 && inputs.length > 0) {
    const some = inputs.length === 1 ? 'the file is not' : `none of the ${formatCount(inputs.length)} files is`;
    reportNoneSelected(some, selecting);
  }
  return selected;
}

/** @param some what was looked at, with a verb, such as `none of the 12 files is` */
export function reportNoneSelected(some: string, { options: { changed, staged }, terminal }: Selecting): void {
  const since = typeof changed === 'string' ? ` since \`${changed}\`` : '';
  printMessage(terminal, `nothing to do: ${some} ${staged ? 'staged' : `changed${since}`}`);
}

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
  const { commitAt } = await import('./git.ts');
  return commitAt(process.cwd(), revision) !== undefined;
}
