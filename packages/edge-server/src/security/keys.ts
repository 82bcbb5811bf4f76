import type { OperationId } from '@tollgate/edge-api';
import { toTimestamp } from '../api/certificate-details.ts';
import { parseBody, stringAt, stringsAt } from '../api/members.ts';
import { createKsuidSource, type KsuidSource } from '../store/port/ksuid.ts';
import type { RecordWriter, Store } from '../store/port/store.ts';
import type { Scope } from './principal.ts';
import { hashToken, makeToken } from './token.ts';

/** The properties of a new API key. */
export interface KeyRequest {
  readonly description: string;
  readonly scopes: readonly Scope[];
  /** The identifiers of the edges that the key is limited to; all if undefined. */
  readonly edges?: readonly string[];
  /** Milliseconds since 1970; undefined for a key that does not expire. */
  readonly expiresAt: number | undefined;
}

/** A new key with its token, which is not stored. */
export interface NewKey {
  readonly id: string;
  readonly token: string;
}

/** A key in a list. */
export interface KeySummary {
  readonly id: string;
  readonly description: string;
  readonly scopes: readonly string[];
  /** Undefined for a key that may use all edges and everything else. */
  readonly edges: readonly string[] | undefined;
  readonly createdAt: string;
  /** RFC 3339. */
  readonly expiresAt: string | undefined;
}

/**
 * Creates an API key and returns its token, of which the store keeps only a hash.
 *
 * @param newKsuid the source of the process, if it creates other records too, because lists are ordered by identifier
 */
export async function createKey(
  store: Store,
  { description, scopes, edges, expiresAt }: KeyRequest,
  newKsuid: KsuidSource = createKsuidSource(),
): Promise<NewKey> {
  const ksuid = newKsuid();
  const id = `ak_${ksuid}`;
  const token = makeToken(ksuid);
  const expiry = expiresAt === undefined ? null : toTimestamp(new Date(expiresAt));
  const body = { description, metadata: '', owner_id: null, hash: hashToken(token), scopes, edges, expires_at: expiry };
  const createdAt = toTimestamp(new Date());
  const record = { id, kind: 'api_key', parentId: null, body: JSON.stringify(body), createdAt, refs: [], claims: [] };
  await store.write(async writer => {
    await writer.insert(record);
    await recordCommand(writer, 'ApiKeysCreate', id, {
      before: null,
      after: { description, scopes, edges, expires_at: expiry },
    });
  });
  return { id, token };
}

/** Returns all keys, newest first. */
export async function listKeys(store: Store): Promise<readonly KeySummary[]> {
  const keys: KeySummary[] = [];
  let beforeId: string | undefined;
  for (;;) {
    const page = await store.page('api_key', { beforeId, limit: 100 });
    for (const { id, body, createdAt } of page) keys.push(summaryOf(id, body, createdAt));
    if (page.length < 100) return keys;
    beforeId = page.at(-1)!.id;
  }
}

function summaryOf(id: string, text: string, createdAt: string): KeySummary {
  const body = parseBody(text);
  const description = stringAt(body, 'description') ?? '';
  const edges = Array.isArray(body.edges) ? stringsAt(body, 'edges') : undefined;
  const expiresAt = stringAt(body, 'expires_at');
  return { id, description, scopes: stringsAt(body, 'scopes'), edges, createdAt, expiresAt };
}

/** Revokes a key; returns false if it does not exist. Servers notice within a second. */
export async function revokeKey(store: Store, id: string): Promise<boolean> {
  return await store.write(async writer => {
    const record = await writer.lock(id);
    if (record?.kind !== 'api_key') return false;
    await recordCommand(writer, 'ApiKeysDelete', id, {
      before: { description: summaryOf(id, record.body, '').description },
      after: null,
    });
    await writer.remove(id);
    return true;
  });
}

/** Adds a change by a command on the database to the record of changes. */
async function recordCommand(
  writer: RecordWriter,
  operation: OperationId,
  resourceId: string,
  detail: object,
): Promise<void> {
  const who = { keyId: null, requestId: null, address: null };
  await writer.record({ at: Date.now(), operation, resourceId, ...who, detail: JSON.stringify(detail) });
}
