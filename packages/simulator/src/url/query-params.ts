/**
 * Returns the parameters of a query with their values in order, as Go's `url.ParseQuery` parses it: split at `&` only, `+` is a space, and a
 * pair with a semicolon or a malformed escape is dropped. All names are own properties.
 */
export function queryParams(query: string): Record<string, readonly string[]> {
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

function decode(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text;
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return undefined;
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    // Bytes that are not UTF-8.
    return Buffer.from(
      spaced.replace(/%([0-9A-Fa-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
      'latin1',
    ).toString();
  }
}
