import { lineStart, type TextEdit } from '@tollgate/diagnostics';
import type { Suppression } from '../rule-api/suppression.ts';

/**
 * Returns the edits that remove names from a suppression. If no name is left, they remove the comment, with its line if it contains
 * nothing else; undefined for blocks, whose end is another comment.
 */
export function withoutNames(
  document: string,
  { range, names, kind }: Suppression,
  removed: Suppression['names'],
): readonly TextEdit[] | undefined {
  const left = names.filter(name => !removed.includes(name));
  if (left.length === 0) return kind === 'block' ? undefined : [{ range: wholeComment(document, range), newText: '' }];
  const start = names[0]!.range.start;
  return [{ range: { start, end: names.at(-1)!.range.end }, newText: left.map(({ name }) => name).join(', ') }];
}

function wholeComment(document: string, { start, end }: Suppression['range']): Suppression['range'] {
  const lineOffset = lineStart(document, start);
  const before = document.slice(lineOffset, start);
  if (before.trim() !== '') return { start: lineOffset + before.trimEnd().length, end };
  const lineBreak = /^[ \t]*(?:\r\n|\n|\r|$)/.exec(document.slice(end))?.[0].length ?? 0;
  return { start: lineOffset, end: end + lineBreak };
}
