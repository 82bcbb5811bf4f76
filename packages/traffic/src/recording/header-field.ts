/** The header that a field contains. */
interface HeaderOfField {
  readonly message: 'request' | 'response';
  readonly name: string;
}

/** Splits `request_headers.NAME`; returns undefined for other fields, and for names with characters other than letters, digits, `-` and `_`. */
export function headerOfField(field: string): HeaderOfField | undefined {
  const match = /^(request|response)_headers\.([\w-]+)$/.exec(field);
  return match === null ? undefined : { message: match[1] === 'request' ? 'request' : 'response', name: match[2]! };
}

/** Maps fields to what a server writes for them, and collects those it cannot record. */
export function writeFields(
  fields: readonly string[],
  written: (field: string) => string | undefined,
): { readonly texts: readonly string[]; readonly missing: readonly string[] } {
  const all = fields.map(field => ({ field, text: written(field) }));
  return {
    texts: all.flatMap(({ text }) => text ?? []),
    missing: all.flatMap(({ field, text }) => (text === undefined ? [field] : [])),
  };
}
