/** Returns a path as an artifact location: percent-encoded, and relative to the source root unless it is absolute. */
export function sarifUri(path: string): { readonly uri: string; readonly uriBaseId?: string } {
  // An unpaired surrogate has no UTF-8 encoding.
  const encoded = path.toWellFormed().split('/').map(encodeURIComponent).join('/');
  if (/^[a-z]%3A\//i.test(encoded)) return { uri: `file:///${encoded.replace('%3A', ':')}` };
  if (encoded.startsWith('//')) return { uri: `file:${encoded}` };
  if (encoded.startsWith('/')) return { uri: `file://${encoded}` };
  return { uri: encoded, uriBaseId: '%SRCROOT%' };
}
