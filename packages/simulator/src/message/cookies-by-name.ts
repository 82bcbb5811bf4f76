import { Duration, type Timestamp } from '@tollgate/cel';
import { type Cookie, requestCookies, responseCookies } from './cookies.ts';

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

const SAME_SITE = ['', '', 'Lax', 'Strict', 'None'] as const;

function named(cookie: Cookie): NamedResponseCookie {
  return {
    name: cookie.Name,
    value: cookie.Value,
    path: cookie.Path,
    domain: cookie.Domain,
    same_site: SAME_SITE[cookie.SameSite] ?? '',
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
