/** What texts begin with that are taken for HTML, after white space; in any case, with a blank or `>` behind. */
const HTML_TAGS =
  /^<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[\t\n\f\r >]|^<!--/i;

/** The content type of a text, guessed from its first 512 units as by the MIME Sniffing Standard, section 7.1; JSON is plain text to it. */
export function sniffContentType(text: string): string {
  const start = text.slice(0, 512).replace(/^[\t\n\f\r ]+/, '');
  if (HTML_TAGS.test(start)) return 'text/html; charset=utf-8';
  if (start.startsWith('<?xml')) return 'text/xml; charset=utf-8';
  if (start.startsWith('%PDF-')) return 'application/pdf';
  // Control characters that no text has.
  return /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/.test(start) ? 'application/octet-stream' : 'text/plain; charset=utf-8';
}
