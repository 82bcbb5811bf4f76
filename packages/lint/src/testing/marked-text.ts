import type { Range } from '@tollgate/diagnostics';

/** Removes the marks `«` and `»` and returns the ranges between them, in order. Marks may be nested. */
export function unmark(marked: string): { readonly text: string; readonly ranges: readonly Range[] } {
  let text = '';
  const open: number[] = [];
  const ranges: Range[] = [];
  for (const part of marked.split(/([«»])/)) {
    if (part === '«') open.push(text.length);
    else if (part === '»') ranges.push({ start: open.pop() ?? 0, end: text.length });
    else text += part;
  }
  return { text, ranges: ranges.toSorted(byPlace) };
}

/** Adds marks around ranges. */
export function mark(text: string, ranges: readonly Range[]): string {
  const marks = ranges.flatMap(({ start, end }) => [
    { at: start, sign: '«', order: start === end ? 1 : 2 },
    { at: end, sign: '»', order: start === end ? 1.5 : 0 },
  ]);
  let result = text;
  for (const { at, sign } of marks.toSorted((a, b) => b.at - a.at || b.order - a.order))
    result = result.slice(0, at) + sign + result.slice(at);
  return result;
}

function byPlace(a: Range, b: Range): number {
  return a.start - b.start || a.end - b.end;
}
