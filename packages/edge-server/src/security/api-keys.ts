// API keys: their tokens and scopes, managing them, and who a request comes from.

import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { OperationId } from '@tollgate/edge-api';
import { parseBody, refused, stringAt, stringsAt } from '../api-error.ts';
import { createKsuidSource, isKsuid, type KsuidSource } from '../store/ksuid.ts';
import type { RecordWriter, Store } from '../store/store.ts';
import { toTimestamp } from './certificate-details.ts';

/** How long a valid key is cached in milliseconds. Revoking it reaches every process within this time. */
const TRUST = 1_000;
const MAX_TRUSTED = 10_000;

/** Authenticates requests. */
export interface Authenticator {
  /** @throws ApiError unless the header contains a valid key */
  readonly authenticate: (header: string | undefined) => Principal | Promise<Principal>;
  /** Clears the cache after a key was changed. */
  readonly forget: () => void;
}

interface Trusted {
  readonly principal: Principal;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** Creates an authenticator that looks up keys in the store. */
export function createAuthenticator(store: Store, now: () => number): Authenticator {
  const trusted = new Map<string, Trusted>();
  return {
    authenticate: header => {
      const known = trusted.get(header ?? '');
      if (known && known.until > now()) return known.principal;
      return lookUp(store, credentialOf(header), now()).then(found => {
        if (trusted.size >= MAX_TRUSTED) trusted.clear();
        trusted.set(header ?? '', found);
        return found.principal;
      });
    },
    forget: () => trusted.clear(),
  };
}

/** Returns the token in the header; for Basic authentication, the user name or else the password. */
function credentialOf(header: string | undefined): string {
  if (header === undefined || header === '') throw refused(200);
  const [, scheme = '', credential = ''] = /^(\S+) +(\S+) *$/.exec(header) ?? [];
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return credential;
    case 'basic': {
      const [user = '', ...rest] = Buffer.from(credential, 'base64').toString('utf8').split(':');
      return user === '' ? rest.join(':') : user;
    }
    default:
      throw refused(201);
  }
}

/** Looks up a key. Errors never repeat the credential, which may be a secret of something else. */
async function lookUp(store: Store, token: string, now: number): Promise<Trusted> {
  if (/^ak_[0-9A-Za-z]{27}$/.test(token)) throw refused(208, { value: token });
  const parsed = parseToken(token);
  if (!parsed) throw refused(202, { value: '…' });
  const id = `ak_${parsed.ksuid}`;
  const record = await store.get(id);
  const body = parseBody(record?.body ?? '{}');
  const expiry = Date.parse(stringAt(body, 'expires_at') ?? '') || Number.POSITIVE_INFINITY;
  if (!isHashOf(stringAt(body, 'hash') ?? '', token) || expiry <= now) throw refused(203);
  const scopes = allScopes(stringsAt(body, 'scopes'));
  const edges = Array.isArray(body.edges) ? { edges: new Set(stringsAt(body, 'edges')) } : {};
  return { principal: { keyId: id, scopes, ...edges }, until: Math.min(now + TRUST, expiry) };
}

/**
 * The permissions of a key: read the configuration, change policies of edges, change everything, and manage keys and the service. `write`
 * includes `policy`, and `admin` all others.
 */
export const SCOPES = ['read', 'policy', 'write', 'admin'] as const;

/** One of {@link SCOPES}. */
export type Scope = (typeof SCOPES)[number];

/** The scopes that include a scope. */
const INCLUDED_BY: Readonly<Record<Scope, readonly Scope[]>> = {
  read: ['read', 'admin'],
  policy: ['policy', 'write', 'admin'],
  write: ['write', 'admin'],
  admin: ['admin'],
};

/** Returns the given scopes and those that they include. */
function allScopes(given: readonly string[]): readonly Scope[] {
  return SCOPES.filter(scope => INCLUDED_BY[scope].some(one => given.includes(one)));
}

/** The sender of a request. */
export interface Principal {
  /** Identifier of the API key. */
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  /** The identifiers of the edges that the key is limited to; undefined for a key that may use everything. */
  readonly edges?: ReadonlySet<string>;
}

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

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 125 bits. */
const SECRET_LENGTH = 21;

/** The two parts of a token. */
interface Token {
  /** The KSUID in the identifier of the key. */
  readonly ksuid: string;
  readonly secret: string;
}

/** Generates the token of a new key: `<ksuid>_<secret>`. */
export function makeToken(ksuid: string): string {
  let secret = '';
  while (secret.length < SECRET_LENGTH) secret += ALPHABET[randomInt(ALPHABET.length)];
  return `${ksuid}_${secret}`;
}

/** Parses a token; undefined if malformed. */
export function parseToken(text: string): Token | undefined {
  const [, ksuid = '', secret = ''] = /^([0-9A-Za-z]{27})_([0-9A-Za-z]{21})$/.exec(text) ?? [];
  return isKsuid(ksuid) ? { ksuid, secret } : undefined;
}

/**
 * Returns the hash of a token for the store. One round of SHA-256 is enough for 125 random bits: a slow hash protects guessable secrets and
 * would let anyone cost the server 50 ms per request.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Returns true if the hash is that of the token. Takes the same time wherever they differ. */
export function isHashOf(hash: string, token: string): boolean {
  const expected = Buffer.from(hash, 'hex');
  const found = Buffer.from(hashToken(token), 'hex');
  return expected.length === found.length && timingSafeEqual(expected, found);
}
