import type { TextEdit } from '@tollgate/diagnostics';
import type { Suppression } from '../rule-api/suppression.ts';

/**
 * Takes names out of the comment of a suppression; all of the comment, with a line that holds nothing else, when no name is left. Of
 * blocks, whose end is another comment, the last name stays: undefined then.
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
  const lineStart = document.lastIndexOf('\n', start - 1) + 1;
  const before = document.slice(lineStart, start);
  if (before.trim() !== '') return { start: lineStart + before.trimEnd().length, end };
  const lineBreak = /^[ \t]*(?:\r\n|\n|\r|$)/.exec(document.slice(end))?.[0].length ?? 0;
  return { start: lineStart, end: end + lineBreak };
}
