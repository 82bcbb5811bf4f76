const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';

/** The positions of digits in `17/May/2015:10:05:03 +0000`, and the characters at the other positions except month and sign. */
const DIGITS = [0, 1, 7, 8, 9, 10, 12, 13, 15, 16, 18, 19, 22, 23, 24, 25];
const [ZERO, SLASH, COLON, BLANK, PLUS, MINUS] = [48, 47, 58, 32, 43, 45];

/**
 * Parses `17/May/2015:10:05:03 +0000` to ms since 1970-01-01T00:00:00Z; returns undefined for anything else. Works on characters, because
 * replays call it for every line.
 */
export function parseLogTime(text: string): number | undefined {
  if (!hasShape(text)) return undefined;
  const month = MONTHS.indexOf(text.slice(3, 6));
  if (month < 0 || month % 3 !== 0) return undefined;
  const year = twoDigits(text, 7) * 100 + twoDigits(text, 9);
  const local = Date.UTC(
    year,
    month / 3,
    twoDigits(text, 0),
    twoDigits(text, 12),
    twoDigits(text, 15),
    twoDigits(text, 18),
  );
  const offset = (twoDigits(text, 22) * 60 + twoDigits(text, 24)) * 60_000;
  return text.charCodeAt(21) === MINUS ? local + offset : local - offset;
}

function hasShape(text: string): boolean {
  if (text.length !== 26) return false;
  for (const at of DIGITS) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return false;
  }
  const sign = text.charCodeAt(21);
  return (
    text.charCodeAt(2) === SLASH &&
    text.charCodeAt(6) === SLASH &&
    text.charCodeAt(11) === COLON &&
    text.charCodeAt(14) === COLON &&
    text.charCodeAt(17) === COLON &&
    text.charCodeAt(20) === BLANK &&
    (sign === PLUS || sign === MINUS)
  );
}

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;
}
