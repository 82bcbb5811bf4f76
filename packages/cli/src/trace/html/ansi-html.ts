import { type Html, html } from '../../text/html.ts';

/** Classes of the page for our ANSI colour codes. */
const CLASSES: Readonly<Record<string, string>> = {
  '1;31': 'error',
  '1;33': 'unknown',
  '1;32': 'true',
  '1': 'name',
  '2': 'skipped',
  '34': 'quiet',
};

/** Renders a line with terminal colours. It contains no other escape characters, because drawings make them visible. */
export function ansiHtml(line: string): Html {
  const pieces = line.split(/\u001b\[(\d[\d;]*)m/);
  let style = '0';
  const parts = pieces.map((piece, index): Html | string => {
    if (index % 2 === 1) {
      style = piece;
      return '';
    }
    const name = CLASSES[style];
    return name === undefined || piece === '' ? piece : html`<span class="${name}">${piece}</span>`;
  });
  return html`${parts}`;
}
