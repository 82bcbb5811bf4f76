/**
 * A URL that every client leaves as it is: nothing encoded, no port, no dots in the path. It avoids creating a `URL`, which costs as much
 * as the rest of the analysis of a redirect.
 */
const PLAIN = /^https?:\/\/[a-z][a-z\d-]*(?:\.[a-z][a-z\d-]*)*(\/[\w\-/:=&@,;~!+]*)?$/;

/** Prefix of encoded host labels, which may be invalid. */
const ENCODED_LABEL = 'xn--';

/** Returns true for an HTTP URL with a host and a path whose escapes all decode to ASCII. */
export function isAbsoluteUrl(url: string): boolean {
  if (isPlain(url)) return true;
  return /^https?:\/\/[\w.-]+(?:[/?]|$)/.test(url) && URL.canParse(url) && isDecodable(url);
}

/** Resolves a URL as a client does; undefined if it is invalid. */
export function absoluteUrl(url: string, base: string): string | undefined {
  if (isPlain(url)) return PLAIN.exec(url)![1] === undefined ? `${url}/` : url;
  const resolved = URL.parse(url, base)?.href;
  return resolved !== undefined && isAbsoluteUrl(resolved) ? resolved : undefined;
}

/** Returns true if two absolute URLs have the same host and port. */
export function haveSameHost(a: string, b: string): boolean {
  return hostOf(a) === hostOf(b);
}

/** Returns the host of an absolute URL, with its port. */
export function hostOf(url: string): string {
  if (!isPlain(url)) return new URL(url).host;
  const start = url.indexOf('://') + 3;
  const end = url.indexOf('/', start);
  return end < 0 ? url.slice(start) : url.slice(start, end);
}

function isPlain(url: string): boolean {
  return PLAIN.test(url) && !url.includes(ENCODED_LABEL);
}

function isDecodable(url: string): boolean {
  return !/%(?![0-9a-fA-F]{2})|%[89a-fA-F]/.test(url);
}
