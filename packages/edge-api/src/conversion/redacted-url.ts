/**
 * Returns a URL without what may be a credential: its user, path, query and fragment. Many services accept whoever knows the path, so no part of
 * it is shown. A URL without those parts is returned as it is.
 */
export function redactedUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null) return REDACTED;
  const { origin, pathname, search, hash, username, password } = url;
  const isPlain = pathname.length <= 1 && [search, hash, username, password].every(part => part === '');
  return isPlain ? text : `${origin === 'null' ? `${url.protocol}//${url.host}` : origin}/${REDACTED}`;
}

const REDACTED = '***';
