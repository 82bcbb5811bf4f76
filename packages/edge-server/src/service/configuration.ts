// Export and import of a whole configuration, backups, and new encryption keys.

import { closeSync, copyFileSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { ExternalError, writeProblem } from '@tollgate/diagnostics';
import type { RecordKindName } from '@tollgate/edge-api';
import { z } from 'zod';
import { parseBody } from '../api-error.ts';
import { createSecretBox, keyIdOf, keyringOf, makeKeyFile, proveKeys, renewTest } from '../security/encryption.ts';
import type { ServerSettings } from '../settings/settings.ts';
import { isPostgres } from '../store/open-store.ts';
import type { Store, StoredRecord, WholeRecord } from '../store/store.ts';
import { shapeOfRecord } from './answers.ts';
import { ANSWERS_KEPT } from './change.ts';
import { type ServiceContext, SHAPE_OF_RECORD } from './context.ts';
import { changeSecrets } from './shape-walk.ts';

/** The format identifier of an exported configuration. */
const FORMAT = 'tollgate-configuration';
const FORMAT_VERSION = 1;

/**
 * Yields a whole configuration as JSON with one record per line: edges, routes, modules, policies, backends, keys and everything else with an
 * identifier. Secrets stay encrypted, so an import requires the encryption key; API keys are hashes.
 */
export function* configurationText(contents: readonly WholeRecord[], exportedAt: string): Generator<string> {
  yield `{"format":"${FORMAT}","version":${FORMAT_VERSION},"exported_at":"${exportedAt}","records":[`;
  for (const [index, record] of contents.entries()) yield `${index === 0 ? '\n' : ',\n'}${recordText(record)}`;
  yield '\n]}\n';
}

function recordText({ id, kind, parentId, body, revision, createdAt, refs, claims, sources }: WholeRecord): string {
  const head = JSON.stringify({
    id,
    kind,
    parent_id: parentId,
    revision,
    created_at: createdAt,
    refs,
    claims,
    sources,
  });
  return `${head.slice(0, -1)},"body":${body}}`;
}

const RECORD = z.strictObject({
  id: z.string().min(1),
  kind: z.string().min(1),
  parent_id: z.string().nullable(),
  revision: z.int().min(1),
  created_at: z.iso.datetime(),
  refs: z.array(z.string()),
  claims: z.array(z.strictObject({ scope: z.string(), value: z.string() })),
  sources: z.array(z.string()),
  body: z.record(z.string(), z.unknown()),
});

const CONFIGURATION = z.strictObject({
  format: z.literal(FORMAT),
  version: z.number(),
  exported_at: z.string(),
  records: z.array(RECORD),
});

/**
 * Parses an exported configuration and checks that its records are consistent.
 *
 * @throws ExternalError `store/import` with the fault and its position
 */
export function readConfiguration(text: string, name: string): readonly WholeRecord[] {
  const { success, data, error } = CONFIGURATION.safeParse(parsed(text, name));
  if (!success) {
    const [issue] = error.issues;
    const place = issue === undefined || issue.path.length === 0 ? '' : ` at \`${issue.path.join('.')}\``;
    throw invalid(name, `${issue?.message ?? 'not a configuration'}${place}`);
  }
  if (data.version !== FORMAT_VERSION) {
    throw invalid(name, `expected format version ${FORMAT_VERSION}, found ${data.version}`);
  }
  const contents = data.records.map(({ parent_id, created_at, body, ...record }) => ({
    ...record,
    parentId: parent_id,
    createdAt: created_at,
    body: JSON.stringify(body),
  }));
  checkConsistency(contents, name);
  return contents;
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid(name, cause instanceof Error ? cause.message : String(cause));
  }
}

function checkConsistency(contents: readonly WholeRecord[], name: string): void {
  const ids = new Set<string>();
  for (const { id } of contents) {
    if (ids.has(id)) throw invalid(name, `\`${id}\` occurs twice`);
    ids.add(id);
  }
  const claimed = new Set<string>();
  for (const { id, parentId, refs, claims } of contents) {
    for (const other of [...refs, ...(parentId === null ? [] : [parentId])]) {
      if (!ids.has(other)) throw invalid(name, `\`${id}\` refers to \`${other}\`, which is missing`);
    }
    for (const { scope, value } of claims) {
      const claim = JSON.stringify([scope, value]);
      if (claimed.has(claim)) throw invalid(name, `\`${id}\` and another record both claim \`${value}\``);
      claimed.add(claim);
    }
  }
}

function invalid(name: string, reason: string): ExternalError {
  return new ExternalError('store/import', `\`${name}\` is not a valid exported configuration: ${reason}`);
}

/**
 * Restores a backup to the database file of a server, which must not exist yet.
 *
 * @throws ExternalError `store/restore` if the backup is invalid or the file exists
 */
export function restoreBackup(backup: string, path: string): void {
  if (existsSync(path)) throw failure(`\`${path}\` already exists; move it away first`);
  try {
    const database = new DatabaseSync(backup, { readOnly: true });
    const [row] = database.prepare('pragma integrity_check').all();
    const version = database.prepare("select value from meta where key = 'schema'").get();
    database.close();
    if (row?.integrity_check !== 'ok' || version === undefined) throw new Error('its contents are damaged');
    // Only the owner may read the configuration, whatever the mode of the backup.
    closeSync(openSync(path, 'wx', 0o600));
    copyFileSync(backup, path);
  } catch (cause) {
    if (cause instanceof ExternalError) throw cause;
    throw failure(`cannot restore \`${backup}\`: ${writeProblem(cause)}`, cause);
  }
}

function failure(message: string, cause?: unknown): ExternalError {
  return new ExternalError('store/restore', message, { cause });
}

/** The result of a rotation of encryption keys. */
export interface EncryptionRotation extends Rotation {
  /** The identifier of the key that all readable secrets are encrypted with now. */
  readonly keyId: string;
  /** The identifiers of the other keys that were given, which no secret needs any more. */
  readonly spareKeys: readonly string[];
  /** Until when answers to repeated requests may need them, in milliseconds since 1970; undefined if there are none. */
  readonly neededUntil: number | undefined;
}

/** What a rotation may do. */
interface RotationOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether secrets may be given up whose key is lost; if the key file is missing, it is created. */
  readonly giveUp: boolean;
}

/**
 * Encrypts the secrets of a database with the first of the given keys. Servers that use the database must have that key already.
 *
 * @throws ExternalError `settings/secret-key` if a key is missing, unless secrets may be given up
 */
export async function rotateEncryption(
  store: Store,
  settings: Pick<ServerSettings, 'database' | 'secretKeyFile'>,
  { env, giveUp }: RotationOptions,
): Promise<EncryptionRotation> {
  const { database, secretKeyFile } = settings;
  const isByDefault = env.TOLLGATE_SECRET_KEY === undefined && secretKeyFile === '' && !isPostgres(database);
  if (giveUp && isByDefault && !existsSync(`${database}.key`)) makeKeyFile(`${database}.key`);
  const keyring = await keyringOf(settings, env, store);
  const box = createSecretBox(keyring);
  if (!giveUp) await proveKeys(store, box);
  const rotation = await rotateSecrets({ store, box });
  await renewTest(store, box);
  const latest = await store.latestAnswer();
  const spareKeys = [...keyring.keys.keys()].filter(id => id !== keyring.current);
  return { ...rotation, keyId: keyring.current, spareKeys, neededUntil: latest && latest + ANSWERS_KEPT };
}

// Encrypts stored secrets again, with another key.

type Context = Pick<ServiceContext, 'store' | 'box'>;

/** Returns the ciphertext to store instead of a stored secret; the same one if nothing changes. */
type Reseal = (stored: string, place: string) => string;

/** The only kind with fields that became secrets after a release: the URLs and headers of webhooks. */
const PLAIN_BEFORE = 'event_destination';
const PAGE = 100;

/** Encrypts what was stored before its field became a secret. */
export async function sealPlainSecrets(context: Context): Promise<void> {
  await resealKind(context, PLAIN_BEFORE, (stored, place) =>
    context.box.isSealed(stored) ? stored : context.box.seal(stored, place),
  );
}

/** What a rotation did. */
interface Rotation {
  /** How many secrets were encrypted again, and in how many records. */
  readonly secrets: number;
  readonly records: number;
  /** The places of the secrets that cannot be decrypted, and the identifiers of their keys. */
  readonly unreadable: readonly { readonly place: string; readonly keyId: string }[];
}

/** Encrypts every secret with the current key. Those that cannot be decrypted stay as they are. */
async function rotateSecrets(context: Context): Promise<Rotation> {
  const { box } = context;
  const done = { secrets: 0, records: 0 };
  const unreadable = new Map<string, string>();
  const reseal: Reseal = (stored, place) => {
    if (!box.isSealed(stored)) return box.seal(stored, place);
    if (box.isCurrent(stored)) return stored;
    const opened = box.tryOpen(stored, place);
    if ('secret' in opened) return box.seal(opened.secret, place);
    unreadable.set(place, keyIdOf(stored));
    return stored;
  };
  for (const kind of SHAPE_OF_RECORD.keys()) {
    const counts = await resealKind(context, kind as RecordKindName, reseal);
    done.secrets += counts.secrets;
    done.records += counts.records;
  }
  return { ...done, unreadable: [...unreadable].map(([place, keyId]) => ({ place, keyId })) };
}

async function resealKind({ store }: Context, kind: RecordKindName, reseal: Reseal) {
  const counts = { secrets: 0, records: 0 };
  let page: readonly StoredRecord[] = [];
  do {
    page = await store.page(kind, { beforeId: page.at(-1)?.id, limit: PAGE });
    for (const { id } of page.filter(record => resealed(record, reseal).secrets > 0)) {
      const secrets = await store.write(async writer => {
        // Another process may have changed it since.
        const record = await writer.lock(id);
        const { body, secrets: changed } = record ? resealed(record, reseal) : { body: '', secrets: 0 };
        if (changed > 0) await writer.update({ id, body });
        return changed;
      });
      counts.secrets += secrets;
      counts.records += Number(secrets > 0);
    }
  } while (page.length === PAGE);
  return counts;
}

function resealed(record: StoredRecord, reseal: Reseal): { readonly body: string; readonly secrets: number } {
  let secrets = 0;
  const body = changeSecrets(shapeOfRecord(record), parseBody(record.body), (stored, place) => {
    const sealed = reseal(stored, `${record.id}${place}`);
    if (sealed !== stored) secrets += 1;
    return sealed;
  });
  return { body: JSON.stringify(body), secrets };
}
