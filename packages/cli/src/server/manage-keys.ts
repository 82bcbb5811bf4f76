import { ExternalError, jsonText, PLAIN } from '@tollgate/diagnostics';
import {
  createKey,
  type EncryptionRotation,
  type KeySummary,
  listKeys,
  readServerSettings,
  revokeKey,
  rotateEncryption,
  type Scope,
  type Store,
} from '@tollgate/edge-server';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import { printMessage, type Terminal } from '../process/terminal.ts';
import { pluralize } from '../text/format-count.ts';
import { tableText } from '../text/table.ts';
import { parseExpiry } from './expiry.ts';
import { onDatabase } from './open-database.ts';
import type { ServerOptions } from './server-options.ts';

/** The options of `tollgate keys create`, without those for the database. */
export interface KeyOptions {
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
