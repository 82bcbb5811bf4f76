/** URLs as written: their parts, and the variables that templates refer to. */
import { decodedPath as decoded, queryParams } from '@tollgate/traffic';

/** The parts of a URL, as written. */
export interface UrlParts {
  /** Empty if the string has none. */
  readonly scheme: string;
  readonly user: string;
  /** Without port. */
  readonly host: string;
  readonly port: string;
  /** Percent-encoded as written; empty or with a leading slash in an absolute URL. */
  readonly path: string;
  /** Without the question mark; undefined if there is none. */
  readonly query: string | undefined;
}

const URL_PATTERN =
  /^(?:([A-Za-z][A-Za-z0-9+.-]*):\/\/(?:([^/?#@]*)@)?(\[[^\]/?#]*\]|[^:/?#]*)(?::([^/?#]*))?[^/?#]*)?([^?#]*)(?:\?([^#]*))?/;

/** Splits an absolute URL or a request target. Accepts any string, because a rewrite may produce one that is not a URL. */
export function splitUrl(text: string): UrlParts {
  if (text.charCodeAt(0) === SLASH) return splitTarget(text, 0, NO_AUTHORITY);
  const named = text.startsWith('https://') ? 'https' : text.startsWith('http://') ? 'http' : undefined;
  if (named !== undefined) {
    const start = named.length + 3;
    const end = endOfName(text, start);
    if (text.charCodeAt(end) === SLASH) return splitTarget(text, end, { scheme: named, host: text.slice(start, end) });
  }
  const [, scheme = '', user = '', host = '', port = '', path = '', query] = URL_PATTERN.exec(text)!;
  return { scheme: scheme.toLowerCase(), user, host, port, path, query };
}

/** Returns path and query of an absolute URL or a target without splitting it; undefined if splitting is needed. */
export function plainTarget(text: string): string | undefined {
  const start = text.charCodeAt(0) === SLASH ? 0 : endOfAuthority(text);
  if (start < 0) return undefined;
  const fragment = text.indexOf('#', start);
  return fragment < 0 ? text.slice(start) : text.slice(start, fragment);
}

/** Returns the offset of the slash after a plain host name; -1 for anything else. */
function endOfAuthority(text: string): number {
  const start = text.startsWith('https://') ? 8 : text.startsWith('http://') ? 7 : -1;
  const end = start < 0 ? 0 : endOfName(text, start);
  return start >= 0 && text.charCodeAt(end) === SLASH ? end : -1;
}

const SLASH = 0x2f;
const NO_AUTHORITY = { scheme: '', host: '' } as const;

/** Splits the rest from a slash on. Nearly all URLs take this path, which is several times as fast as the pattern. */
function splitTarget(text: string, start: number, { scheme, host }: Pick<UrlParts, 'scheme' | 'host'>): UrlParts {
  const fragment = text.indexOf('#', start);
  const end = fragment < 0 ? text.length : fragment;
  const mark = text.indexOf('?', start);
  const hasQuery = mark >= 0 && mark < end;
  const path = text.slice(start, hasQuery ? mark : end);
  return { scheme, user: '', host, port: '', path, query: hasQuery ? text.slice(mark + 1, end) : undefined };
}

/** Returns the end of a run of letters, digits, hyphens and dots. */
function endOfName(text: string, start: number): number {
  let end = start;
  for (; end < text.length; end++) {
    const unit = text.charCodeAt(end);
    const isLetter = (unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a;
    if (!isLetter && !(unit >= 0x30 && unit <= 0x39) && unit !== 0x2d && unit !== 0x2e) break;
  }
  return end;
}

/** Returns the path as rules see it: percent-decoded like Go's `URL.Path`, or as written if it cannot be decoded. */
export function decodedPath({ scheme, path }: UrlParts): string {
  if (path === '') return scheme === '' ? '' : '/';
  return decoded(path);
}

/** Returns the path of a URL or target as rules see it. */
export function decodedPathIn(text: string): string {
  if (text.charCodeAt(0) !== SLASH) return decodedPath(splitUrl(text));
  const fragment = text.indexOf('#');
  const mark = text.indexOf('?');
  const end = mark < 0 || (fragment >= 0 && fragment < mark) ? fragment : mark;
  return decoded(end < 0 ? text : text.slice(0, end));
}

/** Returns the host and, if present, the port. */
export function authorityOf({ host, port }: UrlParts): string {
  return port === '' ? host : `${host}:${port}`;
}

/** Returns the port in an authority; undefined if it has none. */
export function portOf(authority: string): number | undefined {
  const digits = /:([0-9]+)$/.exec(authority)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Returns the path and, if present, the query. */
export function targetOf({ path, query }: UrlParts): string {
  return query === undefined ? path : `${path}?${query}`;
}

/** The variables that a replacement may use in addition to capture groups. `arg_` is followed by the name of a parameter. */
const VARIABLES: Readonly<Record<string, (url: UrlParts) => string>> = {
  args: url => url.query ?? '',
  query_string: url => url.query ?? '',
  is_args: url => (url.query ? '?' : ''),
  uri: targetOf,
  scheme: url => url.scheme,
  host: url => url.host,
  authority: authorityOf,
  port: url => url.port,
  user: url => url.user,
  is_user: url => (url.user === '' ? '' : '@'),
};

/**
 * Replaces `$args`, `$scheme`, `$arg_name` and so on by parts of a URL. The longest run of word characters is the name, so `$argsx` is not a
 * variable; unknown names are left for capture groups. Dollar signs in inserted values are doubled unless they are to be expanded: `?a=$1`
 * from a client must not be expanded (our choice; the vendor documents nothing).
 */
export function expandVariables(replacement: string, url: string, dollars: 'text' | 'expanded' = 'text'): string {
  if (!replacement.includes('$')) return replacement;
  const parts = splitUrl(url);
  return replacement.replace(/\$\$|\$([\p{L}\p{Nd}_]+)/gu, (written, name) => {
    const value = variableValue(name, parts);
    if (value === undefined || dollars === 'expanded') return value ?? written;
    return value.replaceAll('$', '$$$$');
  });
}

function variableValue(name: string | undefined, url: UrlParts): string | undefined {
  if (name === undefined) return undefined;
  if (Object.hasOwn(VARIABLES, name)) return VARIABLES[name]!(url);
  if (!name.startsWith('arg_')) return undefined;
  const params = queryParams(url.query ?? '');
  const parameter = name.slice('arg_'.length);
  return Object.hasOwn(params, parameter) ? params[parameter]![0]! : '';
}
