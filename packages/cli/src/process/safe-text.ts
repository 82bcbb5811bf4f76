import { printableLines } from '@tollgate/diagnostics';

/** Escape sequences that Tollgate itself writes: colours, and those that clear a progress line or the screen. */
const OWN_SEQUENCE = /(\u001b\[(?:0|1|2|34|1;3[1236])m|\r\u001b\[K|\u001b\[2J\u001b\[H)/;

/** Makes control characters visible that do not come from Tollgate but from a file, a log or a server. */
export function safeText(text: string): string {
  const safe = printableLines(text);
  if (safe === text) return text;
  return text
    .split(OWN_SEQUENCE)
    .map((part, index) => (index % 2 === 1 ? part : printableLines(part)))
    .join('');
}
