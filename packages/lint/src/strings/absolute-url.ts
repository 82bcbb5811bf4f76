/**
 * Written as a client writes it in any case: nothing to decode, no port, no dots or other signs in the path that resolving takes out or
 * writes otherwise. Making a `URL` takes as long as all else that is asked of a redirect.
 */
const PLAIN = /^https?:\/\/[a-z][a-z\d-]*(?:\.[a-z][a-z\d-]*)*(\/[\w\-/:=&@,;~!+]*)?$/;

/** Labels of hosts in which something is encoded, which may be wrong. */
const ENCODED_LABEL = 'xn--';

/** Whether this is a URL of the web with a host, and its path can be decoded sign by sign. */
export function isAbsoluteUrl(url: string): boolean {
  if (isPlain(url)) return true;
  return /^https?:\/\/[\w.-]+(?:[/?]|$)/.test(url) && URL.canParse(url) && isDecodable(url);
}

/** As a client resolves it; undefined for what is no URL. */
export function absoluteUrl(url: string, base: string): string | undefined {
  if (isPlain(url)) return PLAIN.exec(url)![1] === undefined ? `${url}/` : url;
  const resolved = URL.parse(url, base)?.href;
  return resolved !== undefined && isAbsoluteUrl(resolved) ? resolved : undefined;
}

/** Whether URLs that are absolute have one host. */
export function haveSameHost(a: string, b: string): boolean {
  return hostOf(a) === hostOf(b);
}

/** Of a URL that is absolute, with its port. */
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
