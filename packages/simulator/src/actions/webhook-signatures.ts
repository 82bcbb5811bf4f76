/** `verify-webhook`: signatures are verified where the body of a request is at hand, by servers that enforce a policy. */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { Unknown } from '@tollgate/cel';
import { UnknownPresence } from '@tollgate/cel/tooling';
import { ownValue } from '@tollgate/diagnostics';
import { base64ToBytes, bytesToBase64, bytesToHex, utf8ToBytes } from '@tollgate/diagnostics/portable';
import type { CredentialVerdict } from '@tollgate/traffic';
import { firstHeader } from '../exchange-state/headers.ts';
import { type Known, type TrafficState, withResults } from '../exchange-state/traffic-state.ts';
import { SIGNATURE_HEADERS, verdictKey } from './authentication.ts';
import {
  type ActionConfig,
  type ActionContext,
  answered,
  type Effect,
  isSet,
  mayRefuse,
  NOT_ENFORCED,
  type Note,
  type PrepareAction,
  stringIn,
  withUnknownResults,
} from './effect.ts';
import { type Filling, prepareText } from './fill-text.ts';

/** How a provider signs with HMAC-SHA256. */
interface Scheme {
  /** The headers that are read, in lower case. The first has the signatures; for those with a time, the second has it, and the third an id. */
  readonly headers: readonly string[];
  readonly encoding: 'hex' | 'base64';
  /** Returns the signatures in the header. */
  readonly signatures: (value: string) => readonly string[];
  /** What is signed before the body; nothing by default. */
  readonly prefix?: (time: string, id: string) => string;
  /** Returns the time in the header with the signatures, if it is there. */
  readonly time?: (value: string) => string;
  /** Whether the secret is in Base64. */
  readonly isKeyEncoded?: boolean;
}

const WHOLE: Scheme['signatures'] = value => [value];

/** Returns what follows a label, in a list. */
function labelled(label: string, separator: RegExp | string = ','): Scheme['signatures'] {
  return value =>
    value.split(separator).flatMap(part => {
      const text = part.trim();
      return text.startsWith(label) ? [text.slice(label.length)] : [];
    });
}

function body(header: string, encoding: Scheme['encoding'], signatures: Scheme['signatures']): readonly Scheme[] {
  return [{ headers: [header], encoding, signatures }];
}

const META = body('x-hub-signature-256', 'hex', labelled('sha256='));
const WEBSUB = body('x-hub-signature', 'hex', labelled('sha256='));

/** Standard Webhooks, under both names of its headers. */
const STANDARD = ['svix', 'webhook'].map(
  (name): Scheme => ({
    headers: [`${name}-signature`, `${name}-timestamp`, `${name}-id`],
    encoding: 'base64',
    signatures: labelled('v1,', / |,(?=v\d+,)/),
    prefix: (time, id) => `${id}.${time}.`,
    isKeyEncoded: true,
  }),
);

/** By provider; a request is verified by the first scheme whose header it has. Source: each provider's webhook documentation. */
const SCHEMES: Readonly<Record<string, readonly Scheme[]>> = {
  bitbucket: WEBSUB,
  circleci: body('circleci-signature', 'hex', labelled('v1=')),
  clerk: STANDARD,
  dropbox: body('x-dropbox-signature', 'hex', WHOLE),
  facebook_graph_api: META,
  facebook_messenger: META,
  github: META,
  heroku: body('heroku-webhook-hmac-sha256', 'base64', WHOLE),
  instagram: META,
  jira: WEBSUB,
  launch_darkly: body('x-ld-signature', 'hex', WHOLE),
  pagerduty: body('x-pagerduty-signature', 'hex', labelled('v1=')),
  sentry: body('sentry-hook-signature', 'hex', WHOLE),
  shopify: body('x-shopify-hmac-sha256', 'base64', WHOLE),
  slack: [
    {
      headers: ['x-slack-signature', 'x-slack-request-timestamp'],
      encoding: 'hex',
      signatures: labelled('v0='),
      prefix: time => `v0:${time}:`,
    },
  ],
  stripe: [
    {
      headers: ['stripe-signature'],
      encoding: 'hex',
      signatures: labelled('v1='),
      time: value => labelled('t=')(value)[0] ?? '',
      prefix: time => `${time}.`,
    },
  ],
  svix: STANDARD,
  typeform: body('typeform-signature', 'base64', labelled('sha256=')),
  whatsapp: META,
};

/** The providers whose signatures are verified. */
export const VERIFIED_PROVIDERS: ReadonlySet<string> = new Set(Object.keys(SCHEMES));

/** Returns the headers, in lower case, without which no request of a provider is verified. */
export function signatureHeadersOf(provider: string): readonly string[] {
  return (ownValue(SCHEMES, provider) ?? []).map(({ headers }) => headers[0]!);
}

/** All providers with a time recommend this, in ms. */
const TOLERANCE = 300_000;

/** What a verification needs and a recording does not have. */
export const REQUEST_BODY = 'the body of the request';

/** Admits requests with a signature of the provider for their bodies. Where the body is not known, it is undetermined. */
export const verifyLiveWebhook: PrepareAction = (config, context) => {
  const check = prepareCheck(config, context);
  const { provider, secret } = check;
  const schemes = ownValue(SCHEMES, provider) ?? [];
  const secretOf = prepareText(secret, 'secret', context);
  return (state): Effect => {
    const headers = check.headersOf(state);
    if (check.isUnsigned(headers)) return check.unsigned(state);
    const filling: Filling = { state, notes: [] };
    const verified = isSigned(schemes, headers, state, () => [secretOf(filling), filling.notes]);
    if (verified instanceof Unknown)
      return check.open(state, verified.attributes, 'it depends on what the server does not have');
    const verdict: CredentialVerdict = verified ? { kind: 'valid' } : { kind: 'invalid', reason: MISMATCH };
    const key = check.keyOf(headers);
    const notes: readonly Note[] = key === undefined ? [] : [{ kind: 'verified', key, verdict }];
    return check.concluded(verdict, state, [...filling.notes, ...notes]);
  };
};

const MISMATCH = 'it does not match the body, the secret and the time';

/**
 * Opaque for a signed request, because recordings do not hold the body that is signed, unless it was verified while the request was live. A request
 * without the signature header of the provider is refused.
 */
export const verifyWebhook: PrepareAction = (config, context) => {
  const check = prepareCheck(config, context);
  return (state): Effect => {
    const headers = check.headersOf(state);
    if (check.isUnsigned(headers)) return check.unsigned(state);
    const key = state.exchange.verdicts && check.keyOf(headers);
    const verdict = key === undefined ? undefined : state.exchange.verdicts?.get(key);
    return verdict === undefined || verdict.kind === 'unknown'
      ? check.open(state, NEEDS, 'a signature is of the body, which recordings do not hold')
      : check.concluded(verdict, state, []);
  };
};

const NEEDS = ['whether the signature of the webhook is right'];

type HeaderTexts = ReadonlyMap<string, Known<string> | undefined>;

/** What a configuration makes of what is known of a signature. */
function prepareCheck(config: ActionConfig, context: ActionContext) {
  const enforces = isSet(config, context, 'enforce');
  const [provider, secret] = [stringIn(config, context, 'provider'), stringIn(config, context, 'secret')];
  const { prefix } = context.results;
  const required = ownValue(SIGNATURE_HEADERS, provider);
  const read = (ownValue(SCHEMES, provider) ?? []).flatMap(({ headers }) => headers);
  const names = [...new Set([...read, ...(required ?? [])])];
  const refusal = (state: TrafficState) =>
    answered(state, { kind: 'refused', status: 403, action: 'verify-webhook' }, context);
  const refused = (state: TrafficState, notes: readonly Note[]): Effect => {
    // How the edge words the error is not documented.
    const error = new UnknownPresence(['the error of `verify-webhook`']);
    const left = withResults(state, prefix, { verified: false, 'error.code': error, 'error.message': error });
    if (!enforces) return { kind: 'continues', state: left, notes: [...NOT_ENFORCED, ...notes] };
    return { kind: 'ends', ending: refusal(left), notes };
  };
  return {
    provider,
    secret,
    headersOf: (state: TrafficState): HeaderTexts => new Map(names.map(name => [name, headerOf(name, state, context)])),
    isUnsigned: (headers: HeaderTexts) => required?.every(name => headers.get(name) === undefined) === true,
    unsigned: (state: TrafficState) => refused(state, enforces ? [{ kind: 'unsigned', headers: required! }] : []),
    /** Returns the key of the verdict on a signature; undefined if it depends on more than the headers and the settings. */
    keyOf(headers: HeaderTexts): string | undefined {
      const values = names.map(name => headers.get(name) ?? '');
      const isFixed = !secret.replaceAll(SECRET_CALL, '').includes('${');
      return isFixed && values.every(value => typeof value === 'string')
        ? verdictKey(JSON.stringify([provider, secret]), ...values)
        : undefined;
    },
    open(state: TrafficState, needs: readonly string[], reason: string): Effect {
      const left = withUnknownResults(state, context.results, needs);
      return mayRefuse({ ending: refusal(left), state: left, needs, reason, enforces });
    },
    concluded(verdict: CredentialVerdict, state: TrafficState, notes: readonly Note[]): Effect {
      if (verdict.kind !== 'valid') return refused(state, notes);
      return { kind: 'continues', state: withResults(state, prefix, { verified: true }), idle: true, notes };
    },
  };
}

/** A secret of a vault: the same for all requests. */
const SECRET_CALL = /\$\{\s*secrets\.get\(\s*('[^'\\]*'|"[^"\\]*")\s*,\s*('[^'\\]*'|"[^"\\]*")\s*\)\s*\}/g;

/** Returns the first value of a header; where several values may have been joined, all of them: signatures are lists. */
function headerOf(name: string, { request, exchange }: TrafficState, { dialect }: ActionContext) {
  const value = firstHeader(request.headers, dialect.headerKey(name));
  return value instanceof Unknown ? (exchange.requestHeaders.unclear?.get(name) ?? value) : value;
}

/** Whether a request is signed; unknown if that depends on something that is not at hand. */
function isSigned(
  schemes: readonly Scheme[],
  headers: HeaderTexts,
  { exchange: { requestBody, time: now } }: TrafficState,
  secretAndNotes: () => readonly [Known<string>, Filling['notes']],
): Known<boolean> {
  const unknown = [...headers.values()].flatMap(value => (value instanceof Unknown ? value.attributes : []));
  const scheme = schemes.find(({ headers: [name] }) => headers.get(name!) !== undefined);
  const needs = [...unknown, ...(requestBody === undefined ? [REQUEST_BODY] : [])];
  // A signature of another kind, such as an old one with SHA-1: what the edge makes of it is not known.
  if (scheme === undefined) return new Unknown([...needs, 'what the edge makes of this kind of signature']);
  const isTimed = scheme.prefix !== undefined;
  if (isTimed && now === undefined) needs.push('the time of the exchange');
  const [secret, notes] = secretAndNotes();
  if (secret instanceof Unknown) needs.push(...secret.attributes);
  const key = typeof secret === 'string' && notes.length === 0 ? keyOf(secret, scheme) : undefined;
  if (needs.length === 0 && key === undefined) needs.push('a secret that can be used');
  if (needs.length > 0) return new Unknown([...new Set(needs)]);
  const [value, stated, id] = scheme.headers.map(name => headers.get(name) as string | undefined);
  const time = scheme.time?.(value!) ?? stated;
  if (isTimed && !isRecent(time, now!)) return false;
  if (scheme.headers.length > 2 && id === undefined) return false;
  const prefix = utf8ToBytes(scheme.prefix?.(time!, id ?? '') ?? '');
  const digest = hmac.create(sha256, key!).update(prefix).update(requestBody!).digest();
  const isHex = scheme.encoding === 'hex';
  const expected = isHex ? bytesToHex(digest) : bytesToBase64(digest);
  return scheme.signatures(value!).some(one => isSame(isHex ? one.toLowerCase() : one, expected));
}

/** An empty key would be known to everybody. */
function keyOf(secret: string, { isKeyEncoded }: Scheme): Uint8Array | undefined {
  const text = isKeyEncoded === true ? secret.replace(/^whsec_/, '') : secret;
  if (text === '') return undefined;
  if (isKeyEncoded !== true) return utf8ToBytes(text);
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? base64ToBytes(text) : undefined;
}

function isRecent(time: string | undefined, now: number): boolean {
  return time !== undefined && /^\d{1,12}$/.test(time) && Math.abs(now - Number(time) * 1000) <= TOLERANCE;
}

/** Takes the same time wherever texts differ. */
function isSame(found: string, expected: string): boolean {
  let difference = found.length ^ expected.length;
  for (let at = 0; at < expected.length; at++) difference |= (found.charCodeAt(at) | 0) ^ expected.charCodeAt(at);
  return difference === 0;
}
