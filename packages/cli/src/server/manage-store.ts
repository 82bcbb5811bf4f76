// `tollgate keys`, `tollgate events` and `tollgate store`: administers the database of a server.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { ExternalError, fileProblem, jsonText, PLAIN, printable } from '@tollgate/diagnostics';
import {
  changeJson,
  configurationText,
  createKey,
  type DeadLetter,
  type EncryptionRotation,
  isPostgres,
  type KeySummary,
  listKeys,
  openStore,
  type RecordedChange,
  readConfiguration,
  readServerSettings,
  restoreBackup,
  revokeKey,
  rotateEncryption,
  type Scope,
  type Store,
} from '@tollgate/edge-server';
import { pluralize, tableText } from '@tollgate/reports';
import { STANDARD_INPUT } from '../input/find-inputs.ts';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import { printMessage, type Terminal } from '../process/terminal.ts';
import { replaceFile } from '../trust/replace-file.ts';
import type { ServerOptions } from './server-options.ts';

/** The options of `tollgate keys create`, without those for the database. */
interface KeyOptions {
  readonly description: string;
  readonly scope: readonly Scope[];
  readonly edge?: readonly string[];
  readonly expires?: string;
}

/** Creates a key. Only the token goes to standard output, for use in scripts. */
export async function createApiKey(
  { description, scope, edge, expires, ...database }: KeyOptions & ServerOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const expiresAt = parseExpiry(expires, Date.now());
  const scopes = [...new Set(scope)];
  const { id, token } = await onDatabase(database, terminal, async store => {
    if (edge) await requireEdges(store, edge);
    return await createKey(store, { description, scopes, ...(edge && { edges: edge }), expiresAt });
  });
  terminal.writeError(`created key \`${id}\`; store the token safely, it is shown only once:\n`);
  terminal.write(`${token}\n`);
  return EXIT.clean;
}

const EDGES: ReadonlySet<string | undefined> = new Set(['https_edge', 'tls_edge', 'tcp_edge']);

async function requireEdges(store: Store, ids: readonly string[]): Promise<void> {
  const kinds = await store.kinds(ids);
  const missing = ids.find(id => !EDGES.has(kinds.get(id)));
  if (missing !== undefined)
    throw new ExternalError('usage/edge', `\`--edge\`: the database has no edge \`${missing}\``);
}

/** Lists the keys. */
export async function listApiKeys(
  { format, ...database }: { readonly format: 'text' | 'json' } & ServerOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const keys = await onDatabase(database, terminal, listKeys);
  terminal.write(format === 'json' ? `${jsonText(keys, 2)}\n` : keyTable(keys));
  return EXIT.clean;
}

function keyTable(keys: readonly KeySummary[]): string {
  if (keys.length === 0) return 'no keys\n';
  const rows = keys.map(({ id, scopes, edges, createdAt, expiresAt, description }) => [
    id,
    `${scopes.join(', ')}${edges ? ` on ${edges.join(', ')}` : ''}`,
    `created ${createdAt}`,
    expiresAt === undefined ? 'never expires' : `expires ${expiresAt}`,
    description,
  ]);
  return `${tableText(
    rows.map(row => row.map(text => ({ text }))),
    [],
    PLAIN,
  )}\n`;
}

/** Revokes a key. */
export async function revokeApiKey(id: string, database: ServerOptions, terminal: Terminal): Promise<ExitCode> {
  const isRevoked = await onDatabase(database, terminal, store => revokeKey(store, id));
  if (isRevoked) terminal.write(`revoked \`${id}\`\n`);
  else printMessage(terminal, `no key \`${id}\``);
  return isRevoked ? EXIT.clean : EXIT.findings;
}

/** Encrypts all secrets with the first key, and says which keys can go. Fails if secrets cannot be decrypted. */
export async function rotateEncryptionKeys(
  { giveUpLostKeys, ...options }: { readonly giveUpLostKeys?: boolean } & ServerOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { config, ...flags } = options;
  const settings = readServerSettings({ flags, env: terminal.env, file: config });
  const rotation = await onDatabase(options, terminal, store =>
    rotateEncryption(store, settings, { env: terminal.env, giveUp: giveUpLostKeys === true }),
  );
  terminal.write(rotationText(rotation));
  return rotation.unreadable.length > 0 ? EXIT.findings : EXIT.clean;
}

function rotationText({ secrets, records, keyId, spareKeys, unreadable, neededUntil }: EncryptionRotation): string {
  const lines = [`encrypted ${pluralize(secrets, 'secret')} in ${pluralize(records, 'record')} with the key ${keyId}`];
  for (const lost of unreadable) lines.push(`${lost.place}: the key ${lost.keyId} is missing; replace the secret`);
  if (spareKeys.length > 0) {
    const when = neededUntil === undefined ? 'now' : `from ${new Date(neededUntil).toISOString().slice(0, 19)}Z on`;
    lines.push(
      `no secret needs ${spareKeys.join(', ')} any more; it can be removed ${when}, once all servers have the key ${keyId}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** The options of `tollgate events dead`, without those for the database. */
interface DeadEventsOptions {
  readonly format: 'text' | 'json';
  readonly limit: string;
}

/** Lists the undelivered events. */
export async function listDeadEvents(
  { format, limit, ...database }: DeadEventsOptions & ServerOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const count = wholeNumber(limit, '`--limit`');
  const letters = await onDatabase(database, terminal, store => store.outbox.deadLetters(count));
  terminal.write(format === 'json' ? `${jsonText(letters, 2)}\n` : deadLetterTable(letters));
  return EXIT.clean;
}

function deadLetterTable(letters: readonly DeadLetter[]): string {
  if (letters.length === 0) return 'no undelivered events\n';
  const rows = letters.map(letter => [
    String(letter.seq),
    letter.eventType,
    letter.resourceId,
    `to ${letter.destinationId}`,
    `given up at ${new Date(letter.deadAt).toISOString().slice(0, 19)}Z after ${pluralize(letter.attempts, 'attempt')}`,
    letter.lastError,
  ]);
  return `${tableText(
    rows.map(row => row.map(text => ({ text }))),
    ['right'],
    PLAIN,
  )}\n`;
}

/** Queues undelivered events for delivery. A running server sends them within a second. */
export async function requeueDeadEvents(
  number: string | undefined,
  database: ServerOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const seq = number === undefined ? undefined : wholeNumber(number, 'the number of an event');
  const count = await onDatabase(database, terminal, store => store.outbox.requeue(Date.now(), seq));
  if (count === 0 && seq !== undefined) {
    printMessage(terminal, `no undelivered event with the number ${seq}`);
    return EXIT.findings;
  }
  terminal.write(`${pluralize(count, 'event')} queued for delivery\n`);
  return EXIT.clean;
}

function wholeNumber(text: string, what: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new ExternalError('usage/number', `${what} expects a positive integer, found \`${text}\``);
}

/** The options of `tollgate store changes`, without those for the database. */
interface ChangesOptions {
  readonly format: 'text' | 'jsonl';
  readonly limit: string;
  readonly since?: string;
}

/** How many changes are read at a time. */
const PAGE = 500;

/** Lists the record of changes, newest first: as a table, or as JSON lines with the values before and after. */
export async function listChanges(
  { format, limit, since, ...database }: ChangesOptions & ServerOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (!/^[1-9]\d{0,14}$/.test(limit)) {
    throw new ExternalError('usage/number', `\`--limit\` expects a positive integer, found \`${limit}\``);
  }
  const from = parseSince(since, Date.now());
  await onDatabase(database, terminal, async store => {
    const rows: (readonly string[])[] = [];
    for await (const change of changesOf(store, from, Number(limit))) {
      if (format === 'jsonl') terminal.write(`${jsonText(changeJson(change))}\n`);
      else rows.push(rowOf(change));
    }
    if (format === 'text') terminal.write(rows.length === 0 ? 'no changes\n' : `${table(rows)}\n`);
  });
  return EXIT.clean;
}

async function* changesOf(
  { changes }: Store,
  since: number | undefined,
  limit: number,
): AsyncGenerator<RecordedChange> {
  let before: number | undefined;
  for (let left = limit; left > 0; ) {
    const size = Math.min(PAGE, left);
    const page = await changes.page({ before, since, limit: size });
    yield* page;
    if (page.length < size) return;
    before = page.at(-1)!.seq;
    left -= size;
  }
}

function rowOf({ at, operation, resourceId, keyId, address, detail }: RecordedChange): readonly string[] {
  const { before, after } = JSON.parse(detail) as Readonly<Record<'before' | 'after', object | null>>;
  const fields = before && after ? Object.keys(after).join(', ') : '';
  return [
    `${new Date(at).toISOString().slice(0, 19)}Z`,
    operation,
    resourceId,
    keyId ?? 'command line',
    address ?? '',
    fields,
  ];
}

function table(rows: readonly (readonly string[])[]): string {
  return tableText(
    rows.map(row => row.map(text => ({ text: printable(text) }))),
    [],
    PLAIN,
  );
}

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
    const reason = fileProblem(cause);
    throw new ExternalError('file/unreadable', `cannot read \`${file}\`: ${reason}`, { cause });
  }
}

function records(count: number): string {
  return count === 1 ? '1 record' : `${count} records`;
}

/** Opens the configured database, which must exist unless it may be created, runs `work` on it, and closes it. */
async function onDatabase<T>(
  { config, ...flags }: ServerOptions,
  { env }: Terminal,
  work: (store: Store) => Promise<T>,
  { mayCreate = false }: { readonly mayCreate?: boolean } = {},
): Promise<T> {
  const { database } = readServerSettings({ flags, env, file: config });
  if (!mayCreate && !isPostgres(database) && !existsSync(database)) {
    const hint = `name an existing one, or start \`tollgate serve --database ${database}\`, which creates it`;
    throw new ExternalError('store/unavailable', `the database \`${database}\` does not exist; ${hint}`);
  }
  const store = await openStore(database);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses a date, or an age such as `7d`, to ms since 1970-01-01T00:00:00Z. @throws ExternalError */
function parseSince(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const [, count = '', unit = ''] = AGE.exec(text) ?? [];
  const time = unit === '' ? Date.parse(text) : now - Number(count) * UNITS[unit]!;
  if (!Number.isNaN(time)) return time;
  throw new ExternalError('usage/since', `\`--since\` expects a date or an age such as \`7d\`, found \`${text}\``);
}

const AGE = /^([1-9]\d{0,5})([mhd])$/;

/** Parses a date, or a duration from now such as `90d`, to ms since 1970-01-01T00:00:00Z. @throws ExternalError */
export function parseExpiry(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const [, count = '', unit = ''] = AGE.exec(text) ?? [];
  const time = unit === '' ? Date.parse(text) : now + Number(count) * UNITS[unit]!;
  if (Number.isNaN(time) || time <= now) {
    throw new ExternalError(
      'usage/expiry',
      `\`--expires\` expects a date or duration in the future, such as \`90d\` or \`2031-12-31\`, found \`${text}\``,
    );
  }
  return time;
}
