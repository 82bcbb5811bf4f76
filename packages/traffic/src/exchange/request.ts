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
  readonly headers: { forEach(callback: (value: string, name: string) => void): void };
}

/** What a request does not say, or what a proxy in front of the server hides. */
export interface RequestConnection {
  /** The address of the client. */
  readonly clientIp?: string | undefined;
  readonly scheme?: 'http' | 'https' | undefined;
}

/** What a live request says. */
interface RequestFacts {
  readonly method: string | undefined;
  readonly target: string | undefined;
  readonly url: string | undefined;
  readonly protocol: string | undefined;
  readonly clientIp: string | undefined;
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  /** Headers that `fetch` may have joined from several, so that nobody knows how many there were. */
  readonly joined: readonly { readonly name: string; readonly value: string }[];
}

/** Returns what a request says. */
function requestFacts(request: NodeRequest | FetchRequest, { clientIp, scheme }: RequestConnection): RequestFacts {
  const fields: { readonly name: string; readonly value: string }[] = [];
  const joined: { readonly name: string; readonly value: string }[] = [];
  let authority: string | undefined;
  const isNode = 'rawHeaders' in request;
  if (isNode) {
    const { rawHeaders } = request;
    // Nearly always, nothing is beyond ASCII.
    const isText = ASCII.test(rawHeaders.join(''));
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      const name = rawHeaders[at]!;
      const value = isText ? rawHeaders[at + 1]! : utf8Text(rawHeaders[at + 1]!);
      // Pseudo-header fields of HTTP/2 are not headers (RFC 9113, section 8.3).
      if (name === ':authority') authority = value;
      else if (!name.startsWith(':')) fields.push({ name, value });
    }
  } else {
    request.headers.forEach((given, name) => {
      const value = headerText(given);
      (value.includes(',') ? joined : fields).push({ name, value });
    });
  }
  const hosts = fields.filter(({ name }) => name.length === 4 && name.toLowerCase() === 'host');
  const given = isNode ? request.url && utf8Text(request.url) : normalUrl(request.url);
  const written = given?.includes('#') ? given.slice(0, given.indexOf('#')) : given;
  const origin = written === undefined || written.startsWith('/') ? undefined : ORIGIN.exec(written)?.[0];
  const rest = origin === undefined ? written : written!.slice(origin.length);
  const target = origin === undefined || rest!.startsWith('/') ? rest : `/${rest}`;
  const absolute =
    origin === undefined ? undefined : `${origin.replace(/^[^:]*/, name => name.toLowerCase())}${target}`;
  const named = origin?.replace(/^[^:]*:\/\/(?:[^@]*@)?/, '');
  const [sent] = hosts;
  // The host of an absolute target takes the place of the header (RFC 9112, section 3.2.2).
  if (isNode && named !== undefined && sent && sent.value !== named)
    fields.splice(fields.indexOf(sent), 1, { name: sent.name, value: named });
  const host = (isNode ? named : undefined) ?? sent?.value ?? authority ?? named;
  // HTTP/2 and constructed requests have no such header, and edges give it to rules.
  if (hosts.length === 0 && host !== undefined) fields.unshift({ name: 'Host', value: host });
  const socket = isNode ? request.socket : undefined;
  const known = scheme ?? (socket && (socket.encrypted === true ? 'https' : 'http'));
  // Without a host there is no URL (RFC 9110, section 7.1).
  const isLocated = known !== undefined && host !== undefined && isAuthority(host) && target?.startsWith('/');
  const address = clientIp ?? socket?.remoteAddress;
  return {
    method: request.method,
    target,
    url: absolute ?? (isLocated ? `${known}://${host}${target}` : undefined),
    protocol: isNode && request.httpVersion !== undefined ? `HTTP/${request.httpVersion}` : undefined,
    clientIp: address === undefined ? undefined : normalizeAddress(address),
    fields,
    joined,
  };
}

/** Scheme and authority of an absolute target. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i;

/**
 * Returns a URL as the standard of `fetch` has it: without `..`, and percent-encoded. Some platforms give handlers the target as it was sent, and
 * what reads a path out of it (`new URL(request.url)`) sees the other form.
 */
export function normalUrl(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}

const ASCII = /^[\0-\x7f]*$/;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
let hasTextHeaders: boolean | undefined;

/** True where `Headers` hold text, as in workers of Cloudflare. Elsewhere they hold a character for each byte (https://fetch.spec.whatwg.org/#headers-class). */
export function areHeadersText(): boolean {
  if (hasTextHeaders === undefined) {
    hasTextHeaders = true;
    try {
      new Headers([['x', '\u0100']]);
    } catch {
      hasTextHeaders = false;
    }
  }
  return hasTextHeaders;
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

/** Returns the exchange of a live request of Node's `http` or of `fetch`. What the request does not say is unknown. */
export function exchangeOf(request: NodeRequest | FetchRequest, connection: RequestConnection = {}): Exchange {
  const { method, target, url, protocol, clientIp, fields, joined } = requestFacts(request, connection);
  const single = joined.filter(({ name, value }) => !mayBeSeveral(name, value));
  const several = joined.filter(({ name, value }) => mayBeSeveral(name, value));
  return {
    place: { file: 'request', number: 1, unit: 'entry' },
    time: undefined,
    tls: TLS_UNKNOWN,
    ...{ clientIp, method, target, url, protocol },
    requestHeaders: {
      ...{ ...NO_HEADER_KNOWN, fields: [...fields, ...single], complete: true },
      ...(several.length > 0 && { unclear: new Map(several.map(({ name, value }) => [name.toLowerCase(), value])) }),
    },
    response: undefined,
  };
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
