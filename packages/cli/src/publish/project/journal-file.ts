import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { ExternalError } from '@tollgate/diagnostics';
import { createKeyed, type JournalEntry, type Keyed, type Run, readJournal, runsIn } from '@tollgate/publisher';
import { UsageError } from '../../process/usage-error.ts';
import { pathToRead } from '../../trust/confinement.ts';
import { appendToFile, createOnce, type Destination } from '../../trust/replace-file.ts';
import type { PublishProject } from './load-project.ts';

/** Default path of the journal, relative to the project file. */
const JOURNAL = '.tollgate/history.jsonl';

/** The journal of a project. */
export interface JournalFile {
  readonly path: string;
  readonly runs: readonly Run[];
  /** A crash has cut off the last line, which is ignored. */
  readonly isCut: boolean;
  /** Appends an entry and waits until it is on disk. Throws an `ExternalError`. */
  readonly append: (entry: JournalEntry) => Promise<void>;
}

/** Reads the journal; a missing one is empty. Throws an `ExternalError` if it is damaged other than at its end. */
export function openJournal({ directory, publish, env }: PublishProject): JournalFile {
  const path = resolve(directory, publish.history?.path ?? JOURNAL);
  const shown = relative('.', path);
  const destination = destinationIn(directory);
  const text = readText(path, shown, { by: destination.by, env });
  const reading = readJournal(text);
  if (!reading.ok) {
    const message = `\`${shown}\`, line ${reading.line}: not an entry of a journal; restore the file from a backup, or move it away`;
    throw new ExternalError('publish/journal', message);
  }
  let isCut = reading.isCut;
  return {
    path: shown,
    runs: runsIn(reading.entries),
    isCut,
    append: async entry => {
      appendLine(path, shown, destination, `${isCut ? '\n{"kind":"repair"}\n' : ''}${JSON.stringify(entry)}\n`);
      isCut = false;
    },
  };
}

/** The project file names the journal, which is for its owner only. */
function destinationIn(directory: string): Destination {
  return { by: { repositoryOf: directory }, isPrivate: true };
}

interface Reading extends Pick<Destination, 'by'>, Pick<PublishProject, 'env'> {}

function readText(path: string, shown: string, { by, env }: Reading): string {
  try {
    const real = pathToRead(path, by, env);
    return existsSync(real) ? readFileSync(real, 'utf8') : '';
  } catch (cause) {
    throw new ExternalError('publish/journal', `cannot read \`${shown}\`: ${reasonOf(cause)}`, { cause });
  }
}

function appendLine(path: string, shown: string, destination: Destination, line: string): void {
  try {
    ignoreKeys(dirname(path), destination);
    appendToFile(path, line, destination);
  } catch (cause) {
    throw new ExternalError('publish/journal', `cannot write \`${shown}\`: ${reasonOf(cause)}`, { cause });
  }
}

/** The key must not get into a repository. */
function ignoreKeys(folder: string, destination: Destination): void {
  if (!existsSync(folder)) createOnce(resolve(folder, '.gitignore'), '*.key\n', { by: destination.by });
}

const KEY_VARIABLE = 'TOLLGATE_HISTORY_KEY';

/**
 * Returns the keyed hashes of a project. The key comes from `TOLLGATE_HISTORY_KEY`, or from a file next to the journal, which is created for
 * its owner only. Without `isKept`, a missing file is not created, and the key is forgotten at the end.
 */
export function openKeyed({ directory, publish, env }: PublishProject, isKept: boolean): Keyed {
  const given = env[KEY_VARIABLE];
  if (given !== undefined) {
    if (given.length < 16) throw new UsageError(`\`${KEY_VARIABLE}\` must have at least 16 characters`);
    return createKeyed(Buffer.from(given));
  }
  const path = `${resolve(directory, publish.history?.path ?? JOURNAL)}.key`;
  const destination = destinationIn(directory);
  try {
    const real = pathToRead(path, destination.by, env);
    if (!existsSync(real) && !isKept) return createKeyed(randomBytes(32));
    if (!existsSync(real)) {
      ignoreKeys(dirname(path), destination);
      createOnce(path, `${randomBytes(32).toString('base64')}\n`, destination);
    }
    return createKeyed(Buffer.from(readFileSync(real, 'utf8').trim(), 'base64'));
  } catch (cause) {
    throw new ExternalError('publish/journal', `cannot use \`${relative('.', path)}\`: ${reasonOf(cause)}`, { cause });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
