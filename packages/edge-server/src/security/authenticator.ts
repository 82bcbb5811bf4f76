import { refused } from '../api/api-error.ts';
import { parseBody, stringAt, stringsAt } from '../api/members.ts';
import type { Store } from '../store/port/store.ts';
import { allScopes, type Principal } from './principal.ts';
import { isHashOf, parseToken } from './token.ts';

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
