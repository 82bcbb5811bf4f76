import { Buffer } from 'node:buffer';

/** Escapes a string for a query: unreserved characters stay (RFC 3986, section 2.3), a space becomes `+`. */
export function escapeQuery(text: string): string {
  const escaped = encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+');
  return escaped.replaceAll(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Decodes percent escapes; undefined if a `%` is not followed by two hexadecimal digits. */
export function unescapeString(text: string, plusIsSpace: boolean): string | undefined {
  const spaced = plusIsSpace ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  if (/%(?![0-9a-fA-F]{2})/.test(spaced)) return undefined;
  // Octets that are not valid UTF-8 become replacement characters.
  return spaced.replaceAll(/(?:%[0-9a-fA-F]{2})+/g, octets =>
    Buffer.from(octets.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}
