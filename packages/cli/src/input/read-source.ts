// Reads a text file, within its size limit and inside the project.

import { createReadStream, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ExternalError, fileProblem, SourceText } from '@tollgate/diagnostics';
import { MAX_BYTES, readBytes, type Terminal } from '../process/terminal.ts';
import { ConfinementError, type NamedBy, pathToRead } from '../trust/confinement.ts';
import { STANDARD_INPUT } from './find-inputs.ts';

/**
 * Reads a file or standard input as UTF-8. Returns errors instead of throwing them, since other files may be fine.
 *
 * @param by who names the file: what a repository names or links to is read only inside it, unless the user trusts it
 */
export async function readSource(
  path: string,
  terminal: Terminal,
  by: NamedBy = 'user',
): Promise<SourceText | ExternalError> {
  const isInput = path === STANDARD_INPUT;
  const name = isInput ? '<stdin>' : path;
  const unsaved = isInput ? undefined : unsavedText(path, terminal.env);
  if (unsaved !== undefined) return new SourceText(name, unsaved);
  try {
    const place = isInput ? path : pathToRead(path, by, terminal.env);
    const text = isInput ? undefined : readText(place);
    if (text !== undefined) return new SourceText(name, text);
    const bytes = isInput
      ? await terminal.readInput()
      : await readBytes(createReadStream(place, { highWaterMark: 1 << 20 }));
    // Offsets count a byte order mark, so keep it. A character cut off by the size limit is not an error.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return new SourceText(name, decoder.decode(bytes, { stream: bytes.length === MAX_BYTES }));
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      return new ExternalError('file/not-utf-8', `\`${name}\` is not valid UTF-8`, { cause });
    }
    if (cause instanceof ConfinementError) return refusedFile(name, cause);
    return new ExternalError('file/unreadable', `cannot read \`${name}\`: ${fileProblem(cause)}`, { cause });
  }
}

/**
 * Variable with the path of a directory in which an editor keeps the texts that it has not saved. Each is in a file that is named by
 * {@link unsavedName}.
 */
export const UNSAVED = 'TOLLGATE_UNSAVED';

/** Returns the name of the file with the unsaved text of a path: its SHA-256 in hexadecimal digits. */
export function unsavedName(path: string): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', resolve(path));
}

/** Returns what an editor shows of a file, saved or not; undefined if no editor says so. */
function unsavedText(path: string, env: Terminal['env']): string | undefined {
  const directory = env[UNSAVED];
  if (!directory) return undefined;
  try {
    return readFileSync(join(directory, unsavedName(path)), 'utf8');
  } catch {
    return undefined;
  }
}

/** Throws an `ExternalError` for a file that a repository must not lead to, before something else reads it. */
export function requireReadable(path: string, by: NamedBy, { env }: Pick<Terminal, 'env'>): void {
  if (path === STANDARD_INPUT) return;
  try {
    pathToRead(path, by, env);
  } catch (cause) {
    throw cause instanceof ConfinementError ? refusedFile(path, cause) : cause;
  }
}

function refusedFile(name: string, cause: ConfinementError): ExternalError {
  return new ExternalError('file/unreadable', `cannot read \`${name}\`: ${cause.message}`, { cause });
}

/**
 * Returns the contents of a regular file up to the size limit; undefined for anything else, and for what may not be UTF-8. For 1,000 policies,
 * streams took 1 s of 4.
 */
function readText(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  // Files in `/proc` and `/dev` report size 0.
  if (!found?.isFile() || found.size === 0 || found.size > MAX_BYTES) return undefined;
  const text = readFileSync(path, 'utf8');
  // What is not UTF-8 is decoded to replacement characters.
  return text.includes('\ufffd') ? undefined : text;
}
