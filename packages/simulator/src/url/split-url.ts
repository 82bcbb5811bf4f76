/** The parts of a URL, as written. */
export interface UrlParts {
  /** Empty when the text has none. */
  readonly scheme: string;
  readonly user: string;
  /** Without port. */
  readonly host: string;
  readonly port: string;
  /** Percent-encoded as written; empty or beginning with a slash in an absolute URL. */
  readonly path: string;
  /** Without its question mark; undefined when there is none. */
  readonly query: string | undefined;
}

const URL_PATTERN =
  /^(?:([A-Za-z][A-Za-z0-9+.-]*):\/\/(?:([^/?#@]*)@)?(\[[^\]/?#]*\]|[^:/?#]*)(?::([0-9]*))?)?([^?#]*)(?:\?([^#]*))?/;

/** Splits an absolute URL, or a request target. Whatever the text is, it is split: what a rewrite leaves may be no URL at all. */
export function splitUrl(text: string): UrlParts {
  const [, scheme = '', user = '', host = '', port = '', path = '', query] = URL_PATTERN.exec(text)!;
  return { scheme: scheme.toLowerCase(), user, host, port, path, query };
}

/** The path that rules see: percent-decoded, as in Go's `URL.Path`; as written where it cannot be decoded. */
export function decodedPath({ scheme, path }: UrlParts): string {
  if (path === '') return scheme === '' ? '' : '/';
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Host and, where written, port. */
export function authorityOf({ host, port }: UrlParts): string {
  return port === '' ? host : `${host}:${port}`;
}

/** Path and, where written, query. */
export function targetOf({ path, query }: UrlParts): string {
  return query === undefined ? path : `${path}?${query}`;
}
