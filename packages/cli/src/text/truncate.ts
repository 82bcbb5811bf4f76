import { displayWidth } from '@tollgate/diagnostics';

/** The end of the string to keep. */
export type KeptSide = 'start' | 'end';

/** Returns the string on one line, truncated with an ellipsis to a width in terminal columns. */
export function truncate(text: string, width: number, keep: KeptSide = 'start'): string {
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
