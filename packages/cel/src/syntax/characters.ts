// Character classes by UTF-16 code; false for NaN, which `charCodeAt` returns past the end.

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

export function isHexDigit(code: number): boolean {
  return isDigit(code) || (code >= 0x61 && code <= 0x66) || (code >= 0x41 && code <= 0x46);
}

export function isNameStart(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f;
}

export function isNamePart(code: number): boolean {
  return isNameStart(code) || isDigit(code);
}

/** Characters between backticks: name characters, `.`, `-`, `/` and space. */
export function isQuotedNamePart(code: number): boolean {
  return isNamePart(code) || code === 0x2e || code === 0x2d || code === 0x2f || code === 0x20;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BACKSLASH = 0x5c;

/** Returns the offset of the closing quote of a single-line string, or the bitwise complement of the end of the line if there is none. */
export function findQuote(source: string, from: number, quote: number, isRaw: boolean): number {
  let at = from;
  while (at < source.length) {
    const code = source.charCodeAt(at);
    if (code === quote) return at;
    if (isLineEnd(code)) break;
    // Only a character on the same line can be escaped.
    if (code === BACKSLASH && !isRaw && at + 1 < source.length && !isLineEnd(source.charCodeAt(at + 1))) at++;
    at++;
  }
  return ~at;
}

function isLineEnd(code: number): boolean {
  return code === LINE_FEED || code === CARRIAGE_RETURN;
}
