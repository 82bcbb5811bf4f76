import { readFile } from 'node:fs/promises';
import { ExternalError, printable } from '@tollgate/diagnostics';
import { configurationText, readConfiguration, readServerSettings, restoreBackup } from '@tollgate/edge-server';
import { STANDARD_INPUT } from '../input/find-inputs.ts';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';
import { replaceFile } from '../trust/replace-file.ts';
import { onDatabase } from './open-database.ts';
import type { ServerOptions } from './server-options.ts';

/** Copies an SQLite database. */
export async function backUpStore(file: string, database: ServerOptions, terminal: Terminal): Promise<ExitCode> {
  const count = await onDatabase(database, terminal, async store => {
    await store.backup(file);
    return (await store.contents()).length;
  });
  terminal.write(`backed up ${records(count)} to \`${printable(file)}\`\n`);
  return EXIT.clean;
}

/** Restores a backup as a new database. */
export async function restoreStore(
  file: string,
  { config, ...flags }: ServerOptions,
  { env, write }: Terminal,
): Promise<ExitCode> {
  const { database } = readServerSettings({ flags, env, file: config });
  restoreBackup(file, database);
  write(`restored \`${printable(file)}\` as \`${printable(String(database))}\`\n`);
  return EXIT.clean;
}

/** Exports the configuration to a file or standard output. */
export async function exportStore(
  file: string | undefined,
  database: ServerOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const contents = await onDatabase(database, terminal, store => store.contents());
  const text = configurationText(contents, new Date().toISOString());
  if (file === undefined) for (const part of text) terminal.write(part);
  else {
    const failure = await replaceFile(file, [...text].join(''), { by: 'user', isPrivate: true });
    if (failure) throw failure;
    terminal.write(`exported ${records(contents.length)} to \`${printable(file)}\`\n`);
  }
  return EXIT.clean;
}

/** Imports a configuration from a file or standard input. */
export async function importStore(file: string, database: ServerOptions, terminal: Terminal): Promise<ExitCode> {
  const contents = readConfiguration(await readText(file, terminal), file);
  await onDatabase(database, terminal, store => store.fill(contents), { mayCreate: true });
  terminal.write(`imported ${records(contents.length)}\n`);
  return EXIT.clean;
}

/** Reads a file of any size, unlike policies. */
async function readText(file: string, terminal: Terminal): Promise<string> {
  if (file === STANDARD_INPUT) return Buffer.from(await terminal.readInput()).toString('utf8');
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ExternalError('file/unreadable', `cannot read \`${file}\`: ${reason}`, { cause });
  }
}

function records(count: number): string {
  return count === 1 ? '1 record' : `${count} records`;
}
