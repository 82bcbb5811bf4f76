import { type Html, html } from '../../text/html.ts';

/** Renders a sentence; strings in backticks become code. */
export function codedText(text: string): Html {
  const pieces = text.split('`');
  // An unpaired backtick comes from user input.
  if (pieces.length % 2 === 0) return html`${text}`;
  return html`${pieces.map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : piece))}`;
}
