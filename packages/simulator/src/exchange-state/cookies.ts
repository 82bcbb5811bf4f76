/** Cookies of requests and responses, by position and by name. */
import { Duration, Timestamp } from '@tollgate/cel';
import { ownValue } from '@tollgate/diagnostics';

/** A cookie as rules see it, with the fields of Go's `http.Cookie`. */
interface Cookie {
  readonly Name: string;
  readonly Value: string;
  readonly Path: string;
  readonly Domain: string;
  readonly Expires?: Timestamp;
  readonly RawExpires: string;
  readonly MaxAge: number;
  readonly Secure: boolean;
  readonly HttpOnly: boolean;
  readonly SameSite: number;
  readonly Raw: string;
  readonly Unparsed: readonly string[];
}

const EMPTY = {
  Path: '',
  Domain: '',
  RawExpires: '',
  MaxAge: 0,
  Secure: false,
  HttpOnly: false,
  SameSite: 0,
  Raw: '',
  Unparsed: [],
} as const;

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** RFC 6265, section 4.1.1, plus blanks and commas, which browsers send. */
const VALUE = /^[ !#-:<-[\]-~]*$/;

/** Parses the values of `Cookie` headers. Malformed cookies are dropped. */
export function requestCookies(headers: readonly string[]): Cookie[] {
  return headers.flatMap(header =>
    header.split(';').flatMap(part => {
      const pair = readPair(part);
      return pair === undefined ? [] : [{ ...EMPTY, Name: pair.name, Value: pair.value }];
    }),
  );
}

/** Parses the values of `Set-Cookie` headers. Malformed cookies are dropped. */
export function responseCookies(headers: readonly string[]): Cookie[] {
  return headers.flatMap(header => {
    const [first = '', ...attributes] = header.split(';');
    const pair = readPair(first);
    if (pair === undefined || !first.includes('=')) return [];
    return [attributes.reduce(withAttribute, { ...EMPTY, Name: pair.name, Value: pair.value, Raw: header })];
  });
}

function readPair(part: string): { readonly name: string; readonly value: string } | undefined {
  const text = part.trim();
  const equals = text.indexOf('=');
  const name = (equals < 0 ? text : text.slice(0, equals)).trim();
  const written = equals < 0 ? '' : text.slice(equals + 1).trim();
  const value = written.length > 1 && written.startsWith('"') && written.endsWith('"') ? written.slice(1, -1) : written;
  return TOKEN.test(name) && VALUE.test(value) ? { name, value } : undefined;
}

const SAME_SITE: Readonly<Record<string, number>> = { lax: 2, strict: 3, none: 4 };

function withAttribute(cookie: Cookie, attribute: string): Cookie {
  const text = attribute.trim();
  if (text === '') return cookie;
  const equals = text.indexOf('=');
  const value = equals < 0 ? '' : text.slice(equals + 1).trim();
  switch ((equals < 0 ? text : text.slice(0, equals)).trim().toLowerCase()) {
    case 'path':
      return { ...cookie, Path: value };
    case 'domain':
      return { ...cookie, Domain: value };
    case 'secure':
      return { ...cookie, Secure: true };
    case 'httponly':
      return { ...cookie, HttpOnly: true };
    case 'samesite':
      return { ...cookie, SameSite: ownValue(SAME_SITE, value.toLowerCase()) ?? 1 };
    case 'max-age':
      return /^(0|-?[1-9][0-9]*)$/.test(value)
        ? { ...cookie, MaxAge: Number(value) <= 0 ? -1 : Number(value) }
        : unparsed(cookie, text);
    case 'expires':
      return withExpiry(cookie, value);
    default:
      return unparsed(cookie, text);
  }
}

function withExpiry(cookie: Cookie, value: string): Cookie {
  const time = Date.parse(value.replaceAll('-', ' '));
  if (Number.isNaN(time)) return { ...cookie, RawExpires: value };
  return { ...cookie, RawExpires: value, Expires: new Timestamp(Math.floor(time / 1000), 0) };
}

function unparsed(cookie: Cookie, text: string): Cookie {
  return { ...cookie, Unparsed: [...cookie.Unparsed, text] };
}

/** A cookie of a request, with the fields of the profiles in snake case. */
interface NamedRequestCookie {
  readonly name: string;
  readonly value: string;
  readonly secure: boolean;
}

/** A cookie of a response, with the fields of the profiles in snake case. */
interface NamedResponseCookie extends NamedRequestCookie {
  readonly path: string;
  readonly domain: string;
  readonly same_site: string;
  readonly expires: Timestamp | undefined;
  readonly max_age: Duration | undefined;
  readonly http_only: boolean;
  readonly unparsed_attributes: Readonly<Record<string, string>>;
}

/** Parses the values of `Cookie` headers; cookies of one name stay in order. */
export function requestCookiesByName(headers: readonly string[]): Readonly<Record<string, NamedRequestCookie[]>> {
  return byName(
    requestCookies(headers).map(({ Name, Value, Secure }) => ({ name: Name, value: Value, secure: Secure })),
  );
}

/** Parses the values of `Set-Cookie` headers; cookies of one name are sorted by path, longest first. */
export function responseCookiesByName(headers: readonly string[]): Readonly<Record<string, NamedResponseCookie[]>> {
  const cookies = responseCookies(headers).map(named);
  return byName(cookies.sort((a, b) => b.path.length - a.path.length));
}

const SAME_SITE_NAMES = ['', '', 'Lax', 'Strict', 'None'] as const;

function named(cookie: Cookie): NamedResponseCookie {
  return {
    name: cookie.Name,
    value: cookie.Value,
    path: cookie.Path,
    domain: cookie.Domain,
    same_site: SAME_SITE_NAMES[cookie.SameSite] ?? '',
    expires: cookie.Expires,
    // In Go, zero means that the attribute is missing, and a negative number that the cookie is to be deleted.
    max_age: cookie.MaxAge === 0 ? undefined : new Duration(Math.max(0, cookie.MaxAge), 0),
    secure: cookie.Secure,
    http_only: cookie.HttpOnly,
    unparsed_attributes: Object.fromEntries(cookie.Unparsed.map(attribute)),
  };
}

function attribute(text: string): [name: string, value: string] {
  const equals = text.indexOf('=');
  return equals < 0 ? [text, ''] : [text.slice(0, equals).trim(), text.slice(equals + 1).trim()];
}

function byName<T extends NamedRequestCookie>(cookies: readonly T[]): Readonly<Record<string, T[]>> {
  const found = new Map<string, T[]>();
  for (const cookie of cookies) found.set(cookie.name, [...(found.get(cookie.name) ?? []), cookie]);
  return Object.fromEntries(found);
}
