/** Prefixes that indicate HTML, after white space, in any case, and followed by a blank or `>`. */
const HTML_TAGS =
  /^<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[\t\n\f\r >]|^<!--/i;

/** Returns the content type of a string, guessed from its first 512 units by the MIME Sniffing Standard, section 7.1; JSON counts as plain text. */
export function sniffContentType(text: string): string {
  const start = text.slice(0, 512).replace(/^[\t\n\f\r ]+/, '');
  if (HTML_TAGS.test(start)) return 'text/html; charset=utf-8';
  if (start.startsWith('<?xml')) return 'text/xml; charset=utf-8';
  if (start.startsWith('%PDF-')) return 'application/pdf';
  // Control characters that never occur in text.
  return /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/.test(start) ? 'application/octet-stream' : 'text/plain; charset=utf-8';
}
