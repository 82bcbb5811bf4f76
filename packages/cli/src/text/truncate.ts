import { displayWidth } from '@tollgate/diagnostics';

/** Which end of a text is kept when it is cut. */
export type KeptEnd = 'start' | 'end';

/** A text of one line, cut to a number of columns of the terminal; what was left out is an ellipsis. */
export function cutText(text: string, width: number, keep: KeptEnd = 'start'): string {
  if (displayWidth(text) <= width) return text;
  const segments = Array.from(new Intl.Segmenter('en').segment(text), ({ segment }) => segment);
  if (keep === 'end') segments.reverse();
  const kept: string[] = [];
  let room = width - 1;
  for (const segment of segments) {
    room -= displayWidth(segment);
    if (room < 0) break;
    kept.push(segment);
  }
  return keep === 'end' ? `…${kept.reverse().join('')}` : `${kept.join('')}…`;
}
