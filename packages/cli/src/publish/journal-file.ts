// The journal of a project: what was published, with a code that shows changes.

import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { ExternalError, fileProblem, writeProblem } from '@tollgate/diagnostics';
import {
  createKeyed,
  isSame,
  type JournalEntry,
  type JsonObject,
  type Keyed,
  type Run,
  readJournal,
  runsIn,
} from '@tollgate/publisher';
import { UsageError } from '../process/exit-code.ts';
import { pathToRead } from '../trust/confinement.ts';
import { appendToFile, createOnce, type Destination } from '../trust/replace-file.ts';
import { configDirectory } from '../trust/trusted-directories.ts';
import type { PublishProject } from './project.ts';

/** Default path of the journal, relative to the project file. */
const JOURNAL = '.tollgate/history.jsonl';

/** The journal of a project. */
export interface JournalFile {
  readonly path: string;
  readonly runs: readonly Run[];
  /** A crash has cut off the last line, which is ignored. */
  readonly isCut: boolean;
  /** How many entries were not written with this key, by somebody else for example. They are ignored. */
  readonly foreign: number;
  /** Appends an entry and waits until it is on disk. Throws an `ExternalError`. */
  readonly append: (entry: JournalEntry) => Promise<void>;
}

/**
 * Reads the journal; a missing one is empty. It is in the repository, where a stranger may have put it: an entry counts only if its code shows
 * that it was written with the key. Throws an `ExternalError` if it is damaged other than at its end.
 */
export function openJournal({ directory, publish, env }: PublishProject, keyed: Keyed): JournalFile {
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
  const own = reading.entries.filter(entry => isOwn(entry, keyed));
  return {
    path: shown,
    runs: runsIn(own),
    isCut,
    foreign: reading.entries.length - own.length,
    append: async entry => {
      appendLine(path, shown, destination, `${isCut ? '\n{"kind":"repair"}\n' : ''}${sealedLine(entry, keyed)}\n`);
      isCut = false;
    },
  };
}

/** The member of a line that shows with which key it was written. */
const CODE = 'code';

function sealedLine(entry: JournalEntry, { fingerprint }: Keyed): string {
  const plain = JSON.parse(JSON.stringify(entry)) as JsonObject;
  return JSON.stringify({ ...plain, [CODE]: fingerprint(plain) });
}

/** A repair says nothing. */
function isOwn(entry: JournalEntry, { fingerprint }: Keyed): boolean {
  const { [CODE]: code, ...plain } = entry as JournalEntry & JsonObject;
  return entry.kind === 'repair' || (code !== undefined && isSame(code, fingerprint(plain)));
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
    throw new ExternalError('publish/journal', `cannot read \`${shown}\`: ${fileProblem(cause)}`, { cause });
  }
}

function appendLine(path: string, shown: string, destination: Destination, line: string): void {
  try {
    appendToFile(path, line, destination);
  } catch (cause) {
    throw new ExternalError('publish/journal', `cannot write \`${shown}\`: ${writeProblem(cause)}`, { cause });
  }
}

const KEY_VARIABLE = 'TOLLGATE_HISTORY_KEY';

/**
 * Returns the keyed hashes of a project. The key comes from `TOLLGATE_HISTORY_KEY`, or from a file among the user's settings, which is created
 * for the user only. It is not in the project, where a stranger could put one. Without `isKept`, a missing file is not created, and the key is
 * forgotten at the end.
 */
export function openKeyed({ path, env }: PublishProject, isKept: boolean): Keyed {
  const given = env[KEY_VARIABLE];
  if (given !== undefined) {
    if (given.length < 16) throw new UsageError(`\`${KEY_VARIABLE}\` must have at least 16 characters`);
    return createKeyed(Buffer.from(given));
  }
  const file = keyFile(path, env);
  if (file === undefined) {
    if (!isKept) return createKeyed(randomBytes(32));
    throw new UsageError(`no user configuration directory for the history key; set \`HOME\` or \`${KEY_VARIABLE}\``);
  }
  try {
    if (!existsSync(file) && !isKept) return createKeyed(randomBytes(32));
    if (!existsSync(file)) createOnce(file, `${randomBytes(32).toString('base64')}\n`, { by: 'user', isPrivate: true });
    return createKeyed(Buffer.from(readFileSync(file, 'utf8').trim(), 'base64'));
  } catch (cause) {
    throw new ExternalError('publish/journal', `cannot use \`${file}\`: ${writeProblem(cause)}`, { cause });
  }
}

/** Each project file of a machine has a key of its own. */
function keyFile(path: string, env: PublishProject['env']): string | undefined {
  const directory = configDirectory(env, process.platform);
  const name = createHash('sha256').update(realpathSync(path)).digest('base64url').slice(0, 22);
  return directory === undefined ? undefined : join(directory, 'tollgate', 'history', `${name}.key`);
}
