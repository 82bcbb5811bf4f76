import { randomBytes, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { ExternalError } from '@tollgate/diagnostics';
import { createKeyed, type JournalEntry, type Keyed, type Run, readJournal, runsIn } from '@tollgate/publisher';
import { UsageError } from '../../process/usage-error.ts';
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
export function openJournal({ directory, publish }: PublishProject): JournalFile {
  const path = resolve(directory, publish.history?.path ?? JOURNAL);
  const shown = relative('.', path);
  const text = readText(path, shown);
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
      appendLine(path, shown, `${isCut ? '\n{"kind":"repair"}\n' : ''}${JSON.stringify(entry)}\n`);
      isCut = false;
    },
  };
}

function readText(path: string, shown: string): string {
  try {
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  } catch (cause) {
    throw new ExternalError('publish/journal', `cannot read \`${shown}\`: ${reasonOf(cause)}`, { cause });
  }
}

/** One write for each line, since several processes may append at the same time. */
function appendLine(path: string, shown: string, line: string): void {
  try {
    makeFolder(dirname(path));
    const file = openSync(path, 'a', 0o600);
    try {
      writeSync(file, line);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw new ExternalError('publish/journal', `cannot write \`${shown}\`: ${reasonOf(cause)}`, { cause });
  }
}

/** The key must not get into a repository. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(resolve(folder, '.gitignore'), '*.key\n');
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
  try {
    if (!existsSync(path) && !isKept) return createKeyed(randomBytes(32));
    if (!existsSync(path)) createKeyFile(path);
    return createKeyed(Buffer.from(readFileSync(path, 'utf8').trim(), 'base64'));
  } catch (cause) {
    throw new ExternalError('publish/journal', `cannot use \`${relative('.', path)}\`: ${reasonOf(cause)}`, { cause });
  }
}

/** Another process may create it at the same time; the first one wins. */
function createKeyFile(path: string): void {
  makeFolder(dirname(path));
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { flag: 'wx', mode: 0o600 });
  try {
    // Unlike a rename, a link fails if the file exists.
    linkSync(draft, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(draft);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
