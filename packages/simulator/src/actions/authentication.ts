/** Actions that check who sent a request: `basic-auth`, `jwt-validation`; and what `verify-webhook` looks for. */

import { sha256 } from '@noble/hashes/sha2.js';
import type { Sample } from '@tollgate/catalog';
import { type HostObject, Unknown } from '@tollgate/cel';
import { base64ToBytes, bytesToHex, bytesToUtf8, utf8ToBytes } from '@tollgate/diagnostics/portable';
import type { CredentialVerdict } from '@tollgate/traffic';
import { firstHeader } from '../exchange-state/headers.ts';
import { type Known, withResults } from '../exchange-state/traffic-state.ts';
import {
  type ActionConfig,
  type ActionContext,
  answered,
  type Effect,
  isSet,
  mayRefuse,
  NOT_ENFORCED,
  type PrepareAction,
  stringIn,
  stringOr,
  stringsOf,
  valueAt,
  withUnknownResults,
} from './effect.ts';
import { type Filling, type FillText, joinParts, prepareExpressions, prepareText } from './fill-text.ts';

/** Admits requests with one of the credentials, compared exactly (RFC 7617). */
export const basicAuth: PrepareAction = (config, context) => {
  const credentials = stringsOf(config.credentials).map(text => prepareText(text, 'credentials', context));
  const realm = stringIn(config, context, 'realm');
  const enforces = isSet(config, context, 'enforce');
  const { headerKey } = context.dialect;
  const challenge = { [headerKey('www-authenticate')]: [`Basic realm="${realm.replaceAll(/["\\]/g, '\\$&')}"`] };
  return (state): Effect => {
    const filling: Filling = { state, notes: [] };
    const presented = presentedIn(firstHeader(state.request.headers, headerKey('authorization')));
    const authorized = isAmong(presented, credentials, filling);
    const left = withResults(state, context.results.prefix, {
      'credentials.presented': presented instanceof Unknown ? presented : presented !== undefined,
      'credentials.username': presented instanceof Unknown ? presented : (presented ?? '').replace(/:[\s\S]*$/, ''),
      'credentials.authorized': authorized,
    });
    const answer = { kind: 'refused', status: 401, action: 'basic-auth', headers: challenge } as const;
    const ending = answered(left, answer, context);
    const { notes } = filling;
    if (!enforces) return { kind: 'continues', state: left, notes: authorized === false ? NOT_ENFORCED : notes };
    if (authorized === true) return { kind: 'continues', state: left, idle: true, notes };
    if (authorized === false) return { kind: 'ends', ending, notes };
    return { kind: 'may-end', ending, state: left, needs: authorized.attributes, notes };
  };
};

/** Returns the user and password in the header; undefined if it has none that can be decoded. */
function presentedIn(header: Known<string> | undefined): Known<string> | undefined {
  if (typeof header !== 'string') return header;
  const encoded = /^basic +([A-Za-z0-9+/=]+) *$/i.exec(header)?.[1];
  const text = encoded === undefined ? '' : bytesToUtf8(base64ToBytes(encoded));
  return text.includes(':') ? text : undefined;
}

function isAmong(
  presented: Known<string> | undefined,
  credentials: readonly FillText[],
  filling: Filling,
): Known<boolean> {
  if (presented === undefined) return false;
  if (presented instanceof Unknown) return presented;
  const texts = credentials.map(fill => fill(filling));
  if (texts.includes(presented)) return true;
  const unknown = joinParts(texts, text => text);
  return unknown instanceof Unknown ? unknown : false;
}

/** Returns what {@link verdictKey} takes with a token: the settings that its verdict depends on. */
export function keyOfTokens({ issuer, audience, jws }: ActionConfig): string {
  return JSON.stringify([issuer, audience, jws]);
}

/** Returns the key in `verdicts` of an exchange for what was judged. It shows neither settings nor credentials. */
export function verdictKey(settings: string, ...credentials: readonly string[]): string {
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify([settings, ...credentials])))).slice(0, KEY_LENGTH);
}

/** Digits of 128 bits. */
const KEY_LENGTH = 32;

/**
 * Requests are certainly refused if a token is missing, or if its algorithm, issuer or audience is not accepted. Whether others are valid depends on
 * the issuer's keys, which are not recorded: it is known only if it was found out while the request was live.
 */
export const jwtValidation: PrepareAction = (config, context) => {
  const key = keyOfTokens(config);
  const listed = valueAt(config.http, 'tokens');
  const places = Array.isArray(listed) ? listed : [];
  const tokens = places.map(token => prepareToken(token, context));
  const types = places.map(token => stringOr(valueAt(token, 'type'), ''));
  const refuse = prepareRefusal(config, context);
  return (state): Effect => {
    const filling: Filling = { state, notes: [] };
    const found = tokens.map(find => find(filling));
    const { verdicts: all } = state.exchange;
    const verdicts = found.map(token => (typeof token === 'string' ? all?.get(verdictKey(key, token)) : undefined));
    const left = withUnknownResults(state, context.results, needsOf(found, verdicts));
    const ending = answered(left, { kind: 'refused', status: 401, action: 'jwt-validation' }, context);
    if (found.includes(undefined)) return { kind: 'ends', ending, notes: filling.notes };
    const reasons = found.map((token, index) =>
      typeof token === 'string' ? (refuse(token, types[index], filling) ?? invalidity(verdicts[index])) : undefined,
    );
    const reason = reasons.find(one => one !== undefined);
    if (reason !== undefined)
      return { kind: 'ends', ending, notes: [...filling.notes, { kind: 'invalid-token', reason }] };
    if (verdicts.every(one => one?.kind === 'valid')) {
      const passed = found.map((token, index) => tokenValue(String(token), places[index]!));
      const known = withResults(state, context.results.prefix, { tokens: passed });
      return { kind: 'continues', state: known, idle: true, notes: filling.notes };
    }
    const needs = needsOf(found, verdicts);
    return mayRefuse({ ending, state: left, needs, reason: 'only the edge has the keys', enforces: true });
  };
};

function invalidity(verdict: CredentialVerdict | undefined): string | undefined {
  return verdict?.kind === 'invalid' ? verdict.reason : undefined;
}

/** What validating a token needs and a recording does not have. */
export const TOKEN_KEYS = 'the keys that tokens are verified with';

function needsOf(
  found: readonly (Known<string> | undefined)[],
  verdicts: readonly (CredentialVerdict | undefined)[],
): readonly string[] {
  const unknown = found.flatMap(token => (token instanceof Unknown ? token.attributes : []));
  if (unknown.length > 0) return unknown;
  const missing = verdicts.flatMap(verdict => (verdict?.kind === 'unknown' ? [verdict.needs] : []));
  return missing.length > 0 ? missing : [TOKEN_KEYS];
}

/** Returns a token as expressions see it. */
function tokenValue(token: string, place: Sample): HostObject {
  const [header = '', payload = '', signature = ''] = token.split('.');
  return {
    header: readPart(header) as HostObject | undefined,
    location: 'header',
    location_property: stringOr(valueAt(place, 'name'), ''),
    payload: readPart(payload) as HostObject | undefined,
    signature,
    verified: true,
  };
}

const BODY_UNKNOWN = new Unknown(['the body of the request']);

/** Returns why a token is invalid under any key; undefined if it may be valid. */
type RefuseToken = (token: string, type: string | undefined, filling: Filling) => string | undefined;

function prepareRefusal(config: ActionConfig, context: ActionContext): RefuseToken {
  const algorithms = stringsOf(valueAt(config.jws, 'allowed_algorithms'));
  const [issuers, audiences] = [config.issuer, config.audience].map(list => prepareAllowed(list, context));
  return (text, type, filling) => {
    const token = readToken(text);
    // Access tokens may be opaque to all but their issuer.
    if (token === undefined) return MUST_BE_JWT.has(type ?? '') ? 'it is not a JSON Web Token' : undefined;
    const { algorithm, issuer, audiences: named } = token;
    if (algorithm === undefined || !algorithms.includes(algorithm))
      return `\`alg\` is ${shown(algorithm)}, which is not an allowed algorithm`;
    if (issuers?.(filling, issuer === undefined ? [] : [issuer]) === false)
      return `\`iss\` is ${shown(issuer)}, which is not an allowed issuer`;
    if (audiences?.(filling, named) === false)
      return `\`aud\` is ${shown(named.join(', ') || undefined)}, which is not an allowed audience`;
    return undefined;
  };
}

const MUST_BE_JWT: ReadonlySet<string> = new Set(['jwt', 'id_token', 'it+jwt', 'at+jwt']);

function shown(value: string | undefined): string {
  return value === undefined ? 'missing' : `\`${value}\``;
}

/** Returns whether one of the values is in an allow list; undefined if an unknown entry may contain it. */
type IsAllowed = (filling: Filling, values: readonly string[]) => boolean | undefined;

/** Returns undefined if all values are allowed. */
function prepareAllowed(list: Sample | undefined, context: ActionContext): IsAllowed | undefined {
  const entries = valueAt(list, 'allow_list');
  if (!Array.isArray(entries)) return undefined;
  const allowed = entries.map(entry => textAt(entry, 'value', context));
  return (filling, values) => {
    const known = allowed.map(fill => fill(filling));
    if (known.some(one => typeof one === 'string' && values.includes(one))) return true;
    return known.some(one => one instanceof Unknown) ? undefined : false;
  };
}

/** Returns the token; undefined if the request does not have it. */
type FindToken = (filling: Filling) => string | Unknown | undefined;

function prepareToken(token: Sample, context: ActionContext): FindToken {
  if (valueAt(token, 'method') === 'body') return () => BODY_UNKNOWN;
  const [nameOf, prefixOf] = [textAt(token, 'name', context), textAt(token, 'prefix', context)];
  return filling => {
    const [name, prefix] = [nameOf(filling), prefixOf(filling)];
    if (name instanceof Unknown) return name;
    const value = firstHeader(filling.state.request.headers, context.dialect.headerKey(name));
    if (typeof value !== 'string') return value;
    if (prefix instanceof Unknown) return prefix;
    return value.startsWith(prefix) && value.length > prefix.length ? value.slice(prefix.length) : undefined;
  };
}

/** Interpolates in profiles that have expressions. The escape setting shows whether they do, because the catalog describes only top-level fields. */
function textAt(token: Sample, key: string, context: ActionContext): FillText {
  const text = stringOr(valueAt(token, key), '');
  return context.switches.interpolationEscape === 'none' ? () => text : prepareExpressions(text, context);
}

/** The claims of a JSON Web Token, whether or not its signature is valid. */
export interface TokenClaims {
  readonly algorithm: string | undefined;
  /** The name of the key; a string in any valid token that has it. */
  readonly keyId: unknown;
  readonly issuer: string | undefined;
  readonly audiences: readonly string[];
}

/** Parses a token in compact serialization (RFC 7515, section 3.1); returns undefined if it is malformed. */
export function readToken(text: string): TokenClaims | undefined {
  const parts = text.split('.');
  const [header, payload] = parts.map(readPart);
  if (parts.length !== 3 || header === undefined || payload === undefined) return undefined;
  const { alg, kid } = header;
  const { iss, aud } = payload;
  const audiences = (Array.isArray(aud) ? aud : [aud]).filter(one => typeof one === 'string');
  return {
    algorithm: typeof alg === 'string' ? alg : undefined,
    keyId: kid,
    issuer: typeof iss === 'string' ? iss : undefined,
    audiences,
  };
}

/** Parses a JSON object in base64url without padding (RFC 7515, section 2). */
function readPart(part: string): Readonly<Record<string, unknown>> | undefined {
  if (!/^[\w-]+$/.test(part)) return undefined;
  try {
    const value: unknown = JSON.parse(bytesToUtf8(base64ToBytes(part)));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The headers that carry a provider's webhook signature, in lower case; every signed request has at least one of them. Providers that sign in
 * the body or name no header are missing, and so are `twitter` and `worldline`, whose unsigned handshake requests the edge answers. Source:
 * each provider's webhook documentation.
 */
export const SIGNATURE_HEADERS: Readonly<Record<string, readonly string[]>> = {
  aftership: ['aftership-hmac-sha256', 'am-webhook-signature'],
  alchemy: ['x-alchemy-signature'],
  autodesk: ['x-adsk-signature'],
  bitbucket: ['x-hub-signature', 'x-hub-signature-256'],
  bolt: ['x-bolt-hmac-sha256'],
  box: ['box-signature-primary', 'box-signature-secondary'],
  buildkite: ['x-buildkite-signature', 'x-buildkite-token'],
  calendly: ['calendly-webhook-signature'],
  castle: ['x-castle-signature'],
  circleci: ['circleci-signature'],
  clearbit: ['x-request-signature'],
  clerk: ['svix-signature', 'webhook-signature'],
  coinbase: ['x-cc-webhook-signature', 'x-hook0-signature'],
  contentful: ['x-contentful-signature'],
  docusign: ['x-docusign-signature-1'],
  dropbox: ['x-dropbox-signature'],
  facebook_graph_api: ['x-hub-signature', 'x-hub-signature-256'],
  facebook_messenger: ['x-hub-signature', 'x-hub-signature-256'],
  frameio: ['x-frameio-signature'],
  github: ['x-hub-signature', 'x-hub-signature-256'],
  gitlab: ['x-gitlab-token', 'webhook-signature'],
  graphcms: ['gcms-signature'],
  heroku: ['heroku-webhook-hmac-sha256'],
  hubspot: ['x-hubspot-signature', 'x-hubspot-signature-v3'],
  instagram: ['x-hub-signature', 'x-hub-signature-256'],
  intercom: ['x-hub-signature'],
  jira: ['x-hub-signature', 'x-hub-signature-256'],
  launch_darkly: ['x-ld-signature'],
  linear: ['linear-signature'],
  modern_treasury: ['x-signature'],
  mongodb: ['x-mms-signature'],
  mux: ['mux-signature'],
  pagerduty: ['x-pagerduty-signature'],
  pinwheel: ['x-pinwheel-signature'],
  plivo: ['x-plivo-signature-v2', 'x-plivo-signature-v3', 'x-plivo-signature-ma-v2', 'x-plivo-signature-ma-v3'],
  pusher: ['x-pusher-signature'],
  sendgrid: ['x-twilio-email-event-webhook-signature'],
  sentry: ['sentry-hook-signature'],
  shopify: ['x-shopify-hmac-sha256'],
  slack: ['x-slack-signature'],
  sonatype: ['x-nexus-webhook-signature'],
  square: ['x-square-signature', 'x-square-hmacsha256-signature'],
  stripe: ['stripe-signature'],
  svix: ['svix-signature', 'webhook-signature'],
  terraform: ['x-tfe-notification-signature'],
  tiktok: ['tiktok-signature'],
  twilio: ['x-twilio-signature'],
  typeform: ['typeform-signature'],
  webex: ['x-spark-signature'],
  whatsapp: ['x-hub-signature', 'x-hub-signature-256'],
  xero: ['x-xero-signature'],
  zendesk: ['x-zendesk-webhook-signature'],
  zoom: ['x-zm-signature'],
};
