import { printableLines } from '@tollgate/diagnostics';

/** What Tollgate itself sends to a terminal besides text: colours, and what clears a line of progress or the screen. */
const OWN_SEQUENCE = /(\u001b\[(?:0|1|2|34|1;3[1236])m|\r\u001b\[K|\u001b\[2J\u001b\[H)/;

/** Text for a terminal: control characters that do not come from Tollgate are made visible, whatever file, log or server they come from. */
export function safeText(text: string): string {
  const safe = printableLines(text);
  if (safe === text) return text;
  return text
    .split(OWN_SEQUENCE)
    .map((part, index) => (index % 2 === 1 ? part : printableLines(part)))
    .join('');
}
