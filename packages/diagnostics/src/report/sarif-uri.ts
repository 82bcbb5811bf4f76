/** A path as an artifact location: percent-encoded, relative to the root of the sources unless it is absolute. */
export function sarifUri(path: string): { readonly uri: string; readonly uriBaseId?: string } {
  // A lone surrogate has no UTF-8.
  const encoded = path.toWellFormed().split('/').map(encodeURIComponent).join('/');
  if (/^[a-z]%3A\//i.test(encoded)) return { uri: `file:///${encoded.replace('%3A', ':')}` };
  if (encoded.startsWith('//')) return { uri: `file:${encoded}` };
  if (encoded.startsWith('/')) return { uri: `file://${encoded}` };
  return { uri: encoded, uriBaseId: '%SRCROOT%' };
}
