/** Characters that match only themselves, in RE2 and in JavaScript. */
const PLAIN = /^[\w\-/:=&%@,;~"'<>!# ]+$/;

/** Returns true if a pattern is a plain string, so that searching for it needs no pattern engine. */
export function isPlainPattern(pattern: string): boolean {
  return PLAIN.test(pattern);
}
