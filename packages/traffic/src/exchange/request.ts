/** Exchanges of requests that a program holds, from Node's `http` or a `fetch` handler; and how targets are decoded. */
import { normalizeAddress } from './address.ts';
import { type Exchange, mayBeSeveral, NO_HEADER_KNOWN, TLS_UNKNOWN } from './exchange.ts';

// The canonical form of a live request: what the fields of an exchange are for a request of Node's `http` and of `fetch`.

/** A request as Node's `http`, `https` and `http2` give it. */
export interface NodeRequest {
  readonly method?: string | undefined;
  /** The request target, a character for each byte. */
  readonly url?: string | undefined;
  readonly httpVersion?: string | undefined;
  /** Names and values in turns, as they were sent, a character for each byte. */
  readonly rawHeaders: readonly string[];
  readonly socket?: { readonly remoteAddress?: string | undefined; readonly encrypted?: boolean } | undefined;
}

/** A request as `fetch` handlers get it: a `Request`. */
export interface FetchRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  /** With names in lower case. */
  readonly headers: { forEach(callback: (value: string, name: string) => void): void };
}

/** What a request does not say, or what a proxy in front of the server hides. */
export interface RequestConnection {
  /** The address of the client. */
  readonly clientIp?: string | undefined;
  readonly scheme?: 'http' | 'https' | undefined;
}

/** Returns the exchange of a live request of Node's `http` or of `fetch`. What the request does not say is unknown. */
export function exchangeOf(
  request: NodeRequest | FetchRequest,
  { clientIp, scheme }: RequestConnection = {},
): Exchange {
  const fields: { readonly name: string; readonly value: string }[] = [];
  const unclear = new Map<string, string>();
  const isNode = 'rawHeaders' in request;
  let authority: string | undefined;
  if (isNode) {
    for (let at = 0; at < request.rawHeaders.length; ) {
      const name = request.rawHeaders[at++]!;
      const value = utf8Text(request.rawHeaders[at++]!);
      // Pseudo-header fields of HTTP/2 are not headers (RFC 9113, section 8.3).
      if (name === ':authority') authority = value;
      else if (!name.startsWith(':')) fields.push({ name, value });
    }
  } else {
    request.headers.forEach((given, name) => {
      const value = headerText(given);
      // `fetch` may have joined several.
      if (mayBeSeveral(name, value)) unclear.set(name, value);
      else fields.push({ name, value });
    });
  }
  const sent = fields.find(({ name }) => /^host$/i.test(name));
  const given = isNode ? request.url && utf8Text(request.url) : normalUrl(request.url);
  const written = given?.split('#')[0];
  const [, ofTarget, at, rest] = (written && ABSOLUTE.exec(written)) || [];
  const target = rest?.startsWith('/') === false ? `/${rest}` : (rest ?? written);
  const named = at?.replace(/^.*@/, '');
  // The host of an absolute target takes the place of the header (RFC 9112, section 3.2.2).
  if (isNode && named && sent) fields[fields.indexOf(sent)] = { ...sent, value: named };
  const host = (isNode && named) || (sent?.value ?? authority ?? named);
  // HTTP/2 and constructed requests have no such header, and edges give it to rules.
  if (!sent && host) fields.unshift({ name: 'Host', value: host });
  const socket = isNode ? request.socket : undefined;
  const known = scheme ?? (socket && (socket.encrypted === true ? 'https' : 'http'));
  // Without a host there is no URL (RFC 9110, section 7.1).
  const isLocated = known && host && isAuthority(host) && target?.startsWith('/');
  const address = clientIp ?? socket?.remoteAddress;
  return {
    place: { file: 'request', number: 1, unit: 'entry' },
    time: undefined,
    tls: TLS_UNKNOWN,
    clientIp: address && normalizeAddress(address),
    method: request.method,
    target,
    url: ofTarget ? `${ofTarget.toLowerCase()}${at}${target}` : isLocated ? `${known}://${host}${target}` : undefined,
    protocol: isNode && request.httpVersion ? `HTTP/${request.httpVersion}` : undefined,
    requestHeaders: { ...NO_HEADER_KNOWN, fields, complete: true, ...(unclear.size > 0 && { unclear }) },
    response: undefined,
  };
}

/** The scheme, the authority and the rest of an absolute target. */
const ABSOLUTE = /^([a-z][a-z0-9+.-]*:\/\/)([^/?]*)(.*)$/is;

/**
 * Returns a URL as the standard of `fetch` has it: without `..`, and percent-encoded. Some platforms give handlers the target as it was sent, and
 * what reads a path out of it (`new URL(request.url)`) sees the other form.
 */
export function normalUrl(url: string): string {
  return new URL(url).href;
}

const ASCII = /^[\0-\x7f]*$/;
const UTF8 = new TextDecoder(undefined, { fatal: true, ignoreBOM: true });

/** True where `Headers` hold text, as in workers of Cloudflare. Elsewhere they hold a character for each byte (https://fetch.spec.whatwg.org/#headers-class). */
export function areHeadersText(): boolean {
  try {
    return new Headers({ x: '\u0100' }) !== undefined;
  } catch {
    return false;
  }
}

/** Returns the text of a value of `Headers`. */
export function headerText(value: string): string {
  return ASCII.test(value) || areHeadersText() ? value : utf8Text(value);
}

/** Returns the text of a string with a character for each byte: UTF-8, or Latin-1 where it is not. */
function utf8Text(bytes: string): string {
  if (ASCII.test(bytes)) return bytes;
  try {
    return UTF8.decode(Uint8Array.from(bytes, character => character.charCodeAt(0)));
  } catch {
    return bytes;
  }
}

/**
 * Returns true if a text can be the authority of a URL. Clients may send anything as host, and what ends an authority, or is before an `@`, would
 * make another path or host of the rest.
 */
export function isAuthority(text: string): boolean {
  return /^[^/?#\\@\s]+$/.test(text);
}

/**
 * Returns an absolute URL in the form that edges give to rules: its scheme in lower case, at least a slash as its path (RFC 9110, section 4.2.3),
 * and without fragment, which is never sent.
 */
export function canonicalUrl(url: string): string {
  const [, scheme, authority, rest] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^#]*)/i.exec(url) ?? [];
  if (scheme === undefined || rest === undefined) return url;
  const isWhole = rest.startsWith('/');
  if (isWhole && /^https?:/.test(url) && !url.includes('#')) return url;
  return `${scheme.toLowerCase()}://${authority}${isWhole ? '' : '/'}${rest}`;
}

/**
 * Returns a path as rules see it: percent-decoded like Go's `URL.Path`, or as written if it cannot be decoded.
 */
export function decodedPath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Returns the parameters of a query with their values in order, as Go's `url.ParseQuery` parses it: split at `&` only, `+` is a space, and a
 * pair with a semicolon or a malformed escape is dropped. All names are own properties.
 */
export function queryParams(query: string): Record<string, readonly string[]> {
  const decode = (text: string): string | undefined => {
    if (!text.includes('%') && !text.includes('+')) return text;
    if (/%(?![0-9A-Fa-f]{2})/.test(text)) return undefined;
    const spaced = text.replaceAll('+', ' ');
    try {
      return decodeURIComponent(spaced);
    } catch {
      // Bytes that are not UTF-8.
      const parts = spaced.split(/((?:%[0-9A-Fa-f]{2})+)/);
      return parts
        .map((part, at) => {
          if (at % 2 === 0) return part;
          const bytes = part
            .slice(1)
            .split('%')
            .map(hex => Number.parseInt(hex, 16));
          return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes));
        })
        .join('');
    }
  };
  const params = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === undefined || value === undefined) continue;
    const values = params.get(name);
    if (values === undefined) params.set(name, [value]);
    else values.push(value);
  }
  // Unlike assignment, this makes `__proto__` a property like any other.
  return Object.fromEntries(params);
}
