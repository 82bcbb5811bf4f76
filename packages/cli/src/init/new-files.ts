import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ExternalError, printable } from '@tollgate/diagnostics';
import { replaceFile } from '../output/replace-file.ts';
import type { Terminal } from '../process/terminal.ts';

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
    await create(join(directory, path), text);
    terminal.write(`created  ${printable(path)}\n`);
  }
  return kept;
}

/** Creates one file, which must not exist. @throws ExternalError */
export async function createFile(path: string, text: string): Promise<void> {
  if (existsSync(resolve(path))) throw new ExternalError('file/exists', `\`${path}\` already exists`);
  await create(resolve(path), text);
}

async function create(path: string, text: string): Promise<void> {
  // If the folder cannot be created, writing the file reports why.
  await mkdir(dirname(path), { recursive: true }).catch(() => undefined);
  const failure = await replaceFile(path, text);
  if (failure) throw failure;
}
