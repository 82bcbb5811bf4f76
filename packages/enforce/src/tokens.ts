/** JSON Web Tokens of requests, validated before a decision needs them, so that the decision itself does not wait. */
import { plausibleToken, type TokenCheck, verdictKey } from '@tollgate/simulator/compiled';
import type { CredentialVerdict, Exchange } from '@tollgate/traffic';
import {
  JOSEError,
  JWKSMultipleMatchingKeys,
  JWKSNoMatchingKey,
  JWSSignatureVerificationFailed,
  JWTClaimValidationFailed,
  JWTExpired,
} from 'jose/errors';
import { createRemoteJWKSet, customFetch, type FetchImplementation, type RemoteJWKSet } from 'jose/jwks/remote';
import { jwtVerify } from 'jose/jwt/verify';

/** How long a set of keys may take, in ms, and how large it may be, in bytes. */
const KEY_TIMEOUT = 5000;
const MAX_KEY_SET = 262_144;
/** In ms: how long keys are used, after how long an unknown one is looked for again, and a source asked again that failed. */
const [MAX_AGE, COOLDOWN, RETRY] = [900_000, 30_000, 10_000];
/** How many keys are tried that a token does not distinguish. */
const MAX_KEYS = 16;

/** Validates tokens of requests. */
export interface TokenValidation {
  /** Returns whether a request has a token that its decision may depend on. */
  readonly isNeeded: (exchange: Exchange) => boolean;
  /** Returns the exchange with what was found out about its tokens. Never rejects: what cannot be found out is unknown. */
  readonly validated: (exchange: Exchange) => Promise<Exchange>;
}

/** Options of {@link tokenValidation}. */
export interface TokenOptions {
  /** How long a set of keys may take to arrive, in ms; 5,000 by default. */
  readonly keyTimeout?: number;
}

/** Returns what validates the tokens that a policy asks for. Sets of keys are fetched when a token first needs them. */
export function tokenValidation(checks: readonly TokenCheck[], { keyTimeout }: TokenOptions = {}): TokenValidation {
  const sources = new KeySources(keyTimeout ?? KEY_TIMEOUT);
  const validate = async (found: FoundToken, time: number | undefined) =>
    [verdictKey(found.check.key, found.text), await verdictOn(found, sources, time)] as const;
  return {
    isNeeded: exchange => checks.some(check => tokensIn(exchange, check).length > 0),
    async validated(exchange) {
      const found = checks.flatMap(check => tokensIn(exchange, check));
      const verdicts = new Map(await Promise.all(found.map(one => validate(one, exchange.time))));
      return { ...exchange, verdicts };
    },
  };
}

interface FoundToken {
  readonly check: TokenCheck;
  readonly text: string;
  readonly claims: NonNullable<ReturnType<typeof plausibleToken>>;
}

/** Returns the tokens whose signature counts. */
function tokensIn({ requestHeaders: { fields } }: Exchange, check: TokenCheck): readonly FoundToken[] {
  return check.places.flatMap(({ header, prefix }) => {
    const value = fields.find(({ name }) => name.length === header.length && name.toLowerCase() === header)?.value;
    if (value?.startsWith(prefix) !== true) return [];
    const text = value.slice(prefix.length);
    const claims = plausibleToken(check, text);
    return claims === undefined ? [] : [{ check, text, claims }];
  });
}

async function verdictOn(
  { check, claims, text }: FoundToken,
  sources: KeySources,
  time: number | undefined,
): Promise<CredentialVerdict> {
  const options = {
    algorithms: [...check.algorithms],
    issuer: [...check.issuers],
    ...(check.audiences && { audience: [...check.audiences] }),
    ...(time !== undefined && { currentDate: new Date(time) }),
  };
  const asked = [...check.keySets.map(url => sources.at(url)), ...sources.ofIssuer(claims.issuer!)];
  let reason = NOT_SIGNED;
  let tried = 0;
  try {
    for await (const key of keysFor(claims, asked)) {
      if (++tried > MAX_KEYS) return { kind: 'unknown', needs: 'which of many keys has signed a token' };
      try {
        await jwtVerify(text, key, options);
        return { kind: 'valid' };
      } catch (error) {
        if (!(error instanceof JOSEError)) throw error;
        reason = reasonOf(error);
        if (reason !== NOT_SIGNED) break;
      }
    }
  } catch (error) {
    return { kind: 'unknown', needs: error instanceof UnavailableKeys ? error.message : 'a key that can be used' };
  }
  return { kind: 'invalid', reason };
}

const NOT_SIGNED = 'no key of its issuer has signed it';

function reasonOf(error: JOSEError): string {
  if (error instanceof JWSSignatureVerificationFailed) return NOT_SIGNED;
  if (error instanceof JWTExpired) return 'it has expired';
  return error instanceof JWTClaimValidationFailed ? `\`${error.claim}\` is not accepted` : 'it is malformed';
}

/** A set of keys could not be had. */
class UnavailableKeys extends Error {
  constructor(url: string, cause: unknown) {
    super(`the keys at ${url}`, { cause });
  }
}

interface KeySource {
  readonly url: string;
  readonly keys: RemoteJWKSet;
}

/** Yields the keys that may have signed a token. Throws at the end if a source failed, which might have had the right one. */
async function* keysFor({ algorithm, keyId }: FoundToken['claims'], sources: readonly KeySource[]) {
  const header = { alg: algorithm!, ...(keyId !== undefined && { kid: keyId as string }) };
  let failure: UnavailableKeys | undefined;
  for (const { url, keys } of sources) {
    try {
      yield await keys(header);
    } catch (error) {
      if (error instanceof JWKSMultipleMatchingKeys) yield* error;
      else if (!(error instanceof JWKSNoMatchingKey)) failure ??= new UnavailableKeys(url, error);
    }
  }
  if (failure !== undefined) throw failure;
}

/** The sets of keys of one policy, each fetched once for all tokens. */
class KeySources {
  readonly #timeout: number;
  readonly #sources = new Map<string, KeySource>();

  constructor(timeout: number) {
    this.#timeout = timeout;
  }

  /** Returns the key set at a URL. */
  at(url: string): KeySource {
    return this.#source(url, fetchKeys);
  }

  /** Returns the key set that an issuer names (OpenID Connect Discovery 1.0, section 4); nothing if the issuer is not a URL. */
  ofIssuer(issuer: string): readonly KeySource[] {
    if (!/^https?:$/.test(URL.parse(issuer)?.protocol ?? '')) return [];
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    return [this.#source(url, (...asked) => fetchNamedKeys(issuer, ...asked))];
  }

  #source(url: string, fetchSet: FetchImplementation): KeySource {
    const known = this.#sources.get(url);
    if (known !== undefined) return known;
    const keys = createRemoteJWKSet(new URL(url), {
      ...{ timeoutDuration: this.#timeout, cacheMaxAge: MAX_AGE, cooldownDuration: COOLDOWN },
      [customFetch]: notTooOften(fetchSet),
    });
    const source = { url, keys };
    this.#sources.set(url, source);
    return source;
  }
}

/** Fails at once for a while after it has failed, so that requests do not wait for a source that is down. */
function notTooOften(fetchSet: FetchImplementation): FetchImplementation {
  let failed: { readonly at: number; readonly error: unknown } | undefined;
  return async (url, options) => {
    if (failed !== undefined && Date.now() - failed.at < RETRY) throw failed.error;
    failed = undefined;
    try {
      return await fetchSet(url, options);
    } catch (error) {
      failed = { at: Date.now(), error };
      throw error;
    }
  };
}

/** Fetches a set of keys. Throws for anything else. */
const fetchKeys: FetchImplementation = async (url, options) => {
  const document = await documentAt(await fetch(url, options));
  const { keys } = document;
  if (!Array.isArray(keys) || !keys.every(key => typeof key === 'object' && key !== null))
    throw new Error('it is not a set of keys');
  return Response.json(document);
};

async function documentAt(response: Response): Promise<Readonly<Record<string, unknown>>> {
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`status ${response.status}`);
  }
  const document: unknown = JSON.parse(await boundedBody(response));
  if (typeof document !== 'object' || document === null) throw new Error('it is not a JSON object');
  return document as Readonly<Record<string, unknown>>;
}

async function boundedBody({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  const reader = body?.getReader();
  for (;;) {
    const chunk = (await reader?.read())?.value;
    if (chunk === undefined) return text + decoder.decode();
    size += chunk.length;
    if (size > MAX_KEY_SET) {
      await reader?.cancel();
      throw new Error('the set of keys is too large');
    }
    text += decoder.decode(chunk, { stream: true });
  }
}

/** Fetches the key set that the configuration of an issuer names. An issuer without configuration has no keys. */
async function fetchNamedKeys(issuer: string, ...[url, options]: Parameters<FetchImplementation>): Promise<Response> {
  const response = await fetch(url, options);
  if (response.status === 404 || response.status === 410) {
    await response.body?.cancel();
    return Response.json({ keys: [] });
  }
  const { issuer: named, jwks_uri: keys } = await documentAt(response);
  // Nobody else's configuration (section 4.3).
  if (named !== issuer || typeof keys !== 'string') throw new Error('it is not the configuration of the issuer');
  // Keys are not fetched in a less secure way than their address.
  if (issuer.startsWith('https:') && !keys.startsWith('https:')) throw new Error('the keys are not at an `https` URL');
  return fetchKeys(keys, options);
}
