const SIMPLE: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, b: 8, f: 12, '"': 34, '\\': 92 };

const BACKSLASH = 92;
const LETTER_X = 120;

/**
 * Decodes a quoted field of a log. Apache writes `\"`, `\\`, `\n` and the like, and `\xhh` for other bytes; nginx writes `\xHH` for all of
 * them. Bytes are decoded as UTF-8. Any other backslash stands for itself.
 */
export function unescapeField(text: string): string {
  if (!text.includes('\\')) return text;
  const source = Buffer.from(text);
  const bytes = Buffer.alloc(source.length);
  let length = 0;
  for (let at = 0; at < source.length; ) {
    const sequence = source[at] === BACKSLASH ? readEscape(source, at + 1) : undefined;
    bytes[length++] = sequence?.byte ?? source[at]!;
    at += sequence?.length ?? 1;
  }
  return bytes.toString('utf8', 0, length);
}

function readEscape(source: Buffer, at: number): { readonly byte: number; readonly length: number } | undefined {
  if (at >= source.length) return undefined;
  if (source[at] === LETTER_X) {
    const digits = source.toString('latin1', at + 1, at + 3);
    return /^[0-9a-fA-F]{2}$/.test(digits) ? { byte: Number.parseInt(digits, 16), length: 4 } : undefined;
  }
  const byte = SIMPLE[String.fromCharCode(source[at]!)];
  return byte === undefined ? undefined : { byte, length: 2 };
}
