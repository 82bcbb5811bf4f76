import type { Exchange, HeaderFacts, HeaderField } from '@tollgate/traffic';

/** What to replace before an exchange is written to a file. */
export interface Redactions {
  /** Lower-case names of headers and query parameters in addition to the usual ones. */
  readonly named: ReadonlySet<string>;
  /** Lower-case names of headers and query parameters to keep. */
  readonly kept: ReadonlySet<string>;
  /** Whether to replace the addresses of clients. */
  readonly clients: boolean;
}

/** What stands for a redacted value. */
const REDACTED = 'REDACTED';

const HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-forwarded-client-cert',
  'www-authenticate',
]);

/** Parts of the names of headers and parameters whose values are secret. */
const SECRET_PARTS = ['token', 'secret', 'password', 'passwd', 'apikey', 'session', 'signature', 'credential', 'csrf'];
const SECRET_PARAMETERS: ReadonlySet<string> = new Set(['key', 'sid', 'sig', 'code', 'auth', 'jwt', 'pwd', 'otp']);

/**
 * Returns an exchange without credentials: values of secret headers, cookies and query parameters are replaced, as are passwords in URLs and JSON
 * Web Tokens anywhere. Names, authentication schemes and attributes of cookies stay.
 */
export function redact(exchange: Exchange, redactions: Redactions): Exchange {
  const { place, time, clientIp, geo, connection, tls, method, url, target, protocol, response } = exchange;
  // Field by field: in some recordings they are accessors, which a spread would lose.
  return {
    ...{ place, time, geo, connection, tls, method, protocol },
    clientIp: redactions.clients && clientIp !== undefined ? placeholderOf(clientIp) : clientIp,
    url: url === undefined ? undefined : redactUrl(url, redactions),
    target: target === undefined ? undefined : redactUrl(target, redactions),
    requestHeaders: redactHeaders(exchange.requestHeaders, redactions),
    response: response && {
      status: response.status,
      headers: redactHeaders(response.headers, redactions),
      bodySize: response.bodySize,
    },
  };
}

/** Addresses for documentation (RFC 5737, RFC 3849). */
function placeholderOf(address: string): string {
  return address.includes(':') ? '2001:db8::1' : '192.0.2.1';
}

function redactHeaders(facts: HeaderFacts, redactions: Redactions): HeaderFacts {
  const { complete, absent, withheld, mayBeComplete } = facts;
  return {
    fields: facts.fields.map(field => redactField(field, redactions)),
    ...{ complete, absent, withheld },
    ...(mayBeComplete !== undefined && { mayBeComplete }),
  };
}

function redactField({ name, value }: HeaderField, redactions: Redactions): HeaderField {
  const key = name.toLowerCase();
  if (redactions.kept.has(key)) return { name, value };
  if (key === 'cookie') return { name, value: value.split(';').map(redactCookie).join(';') };
  if (key === 'set-cookie') return { name, value: redactSetCookie(value) };
  if (isSecretHeader(key, redactions)) return { name, value: redactCredentials(value) };
  if (key === 'referer' || key === 'location') return { name, value: redactUrl(value, redactions) };
  return { name, value: withoutTokens(value) };
}

function isSecretHeader(key: string, { named }: Redactions): boolean {
  return HEADERS.has(key) || named.has(key) || hasSecretPart(key);
}

function hasSecretPart(name: string): boolean {
  const plain = name.replaceAll('-', '').replaceAll('_', '');
  return SECRET_PARTS.some(part => plain.includes(part));
}

function redactCookie(cookie: string): string {
  const at = cookie.indexOf('=');
  return at < 0 ? cookie : `${cookie.slice(0, at)}=${REDACTED}`;
}

function redactSetCookie(value: string): string {
  const [cookie = '', ...attributes] = value.split(';');
  return [redactCookie(cookie), ...attributes].join(';');
}

/** Keeps the scheme: `Bearer REDACTED`. */
function redactCredentials(value: string): string {
  const at = value.indexOf(' ');
  return at > 0 && at < MAX_SCHEME ? `${value.slice(0, at)} ${REDACTED}` : REDACTED;
}

const MAX_SCHEME = 20;

/** Redacts the values of secret parameters in a URL or request target, and its user information. */
function redactUrl(text: string, redactions: Redactions): string {
  const at = text.indexOf('?');
  if (at < 0) return withoutTokens(withoutUser(text));
  const fragment = text.indexOf('#', at);
  const end = fragment < 0 ? text.length : fragment;
  const parameters = text.slice(at + 1, end).split('&');
  const query = parameters.map(one => redactParameter(one, redactions)).join('&');
  return `${withoutTokens(withoutUser(text.slice(0, at)))}?${query}${text.slice(end)}`;
}

function redactParameter(parameter: string, { named, kept }: Redactions): string {
  const at = parameter.indexOf('=');
  if (at < 0) return withoutTokens(parameter);
  const name = parameter.slice(0, at).toLowerCase();
  const isSecret = !kept.has(name) && (named.has(name) || SECRET_PARAMETERS.has(name) || hasSecretPart(name));
  return isSecret ? `${parameter.slice(0, at)}=${REDACTED}` : withoutTokens(parameter);
}

/** Removes `user:password@` from a URL. */
function withoutUser(text: string): string {
  const start = text.indexOf('://');
  if (start < 0) return text;
  const slash = text.indexOf('/', start + 3);
  const authority = text.slice(start + 3, slash < 0 ? text.length : slash);
  const at = authority.lastIndexOf('@');
  return at < 0 ? text : `${text.slice(0, start + 3)}${authority.slice(at + 1)}${slash < 0 ? '' : text.slice(slash)}`;
}

/** Replaces JSON Web Tokens: three parts, the first of which is an encoded `{"`. */
function withoutTokens(text: string): string {
  if (!text.includes(TOKEN_START)) return text;
  return text.replace(/[\w.-]+/g, word => {
    const at = word.indexOf(TOKEN_START);
    return at >= 0 && word.slice(at).split('.').length >= 3 ? `${word.slice(0, at)}${REDACTED}` : word;
  });
}

const TOKEN_START = 'eyJ';
