/** What matches itself alone, as text and as a pattern of RE2 or JavaScript. */
const PLAIN = /^[\w\-/:=&%@,;~"'<>!# ]+$/;

/** Whether a pattern is a plain text: whoever looks for it needs no engine for patterns. */
export function isPlainPattern(pattern: string): boolean {
  return PLAIN.test(pattern);
}
