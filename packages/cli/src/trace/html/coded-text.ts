import { type Html, html } from '../../text/html.ts';

/** A sentence for people as HTML: what is in backticks is code. */
export function codedText(text: string): Html {
  const pieces = text.split('`');
  // An odd one out is text of a user.
  if (pieces.length % 2 === 0) return html`${text}`;
  return html`${pieces.map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : piece))}`;
}
