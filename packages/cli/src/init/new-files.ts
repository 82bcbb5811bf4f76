import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ExternalError, printable } from '@tollgate/diagnostics';
import type { Terminal } from '../process/terminal.ts';
import type { NamedBy } from '../trust/confinement.ts';
import { replaceFile } from '../trust/replace-file.ts';

/** A file to create. */
export interface NewFile {
  /** Relative to the directory of the project, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Creates the files that do not exist yet, and says for each what happened. Returns the paths of those that exist. */
export async function writeNewFiles(
  files: readonly NewFile[],
  directory: string,
  terminal: Terminal,
): Promise<ReadonlySet<string>> {
  const kept = new Set<string>();
  for (const { path, text } of files) {
    if (existsSync(join(directory, path))) {
      kept.add(path);
      terminal.write(`exists   ${printable(path)}\n`);
      continue;
    }
    await create(join(directory, path), text, { repositoryOf: directory });
    terminal.write(`created  ${printable(path)}\n`);
  }
  return kept;
}

/** Creates one file, which must not exist. @throws ExternalError */
export async function createFile(path: string, text: string): Promise<void> {
  if (existsSync(resolve(path))) throw new ExternalError('file/exists', `\`${path}\` already exists`);
  await create(resolve(path), text, 'user');
}

async function create(path: string, text: string, by: NamedBy): Promise<void> {
  const failure = await replaceFile(path, text, { by });
  if (failure) throw failure;
}
