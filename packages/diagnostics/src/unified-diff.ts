import { type Paint, PLAIN, type Style } from './colour.ts';
import { printable, printableLines } from './display-cells.ts';
import { type DiffLine, diffLines } from './line-diff.ts';

/** Two versions of a file. */
export interface TextChange {
  /** The name of the file in the diff. */
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** Unchanged lines around a change. */
const CONTEXT = 3;

/**
 * Returns the changes as a unified diff for `patch -p0` and `git apply -p0`; empty if there are none. A coloured diff is for people and shows
 * control characters as visible symbols.
 */
export function unifiedDiff({ name, before, after }: TextChange, paint: Paint = PLAIN): string {
  if (before === after) return '';
  const all = diffLines(linesOf(before), linesOf(after));
  const shown = printable(name);
  const header = [paint('strong', `--- ${shown}`), paint('strong', `+++ ${shown}`)];
  return `${[...header, ...hunksOf(all).flatMap(hunk => hunkLines(all, hunk, paint))].join('\n')}\n`;
}

/** Lines keep a CR, and the last one whether it ends with a line feed. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') return lines.slice(0, -1);
  return [...lines.slice(0, -1), `${lines.at(-1)}\n\\ No newline at end of file`];
}

interface Hunk {
  readonly start: number;
  readonly end: number;
}

function hunksOf(all: readonly DiffLine[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  for (const [index, { kind }] of all.entries()) {
    if (kind === 'kept') continue;
    const last = hunks.at(-1);
    const hunk = { start: Math.max(0, index - CONTEXT), end: Math.min(all.length, index + 1 + CONTEXT) };
    if (last && hunk.start <= last.end) hunks[hunks.length - 1] = { start: last.start, end: hunk.end };
    else hunks.push(hunk);
  }
  return hunks;
}

const MARKS = { removed: '-', added: '+', kept: ' ' } as const;
const STYLES: Readonly<Record<DiffLine['kind'], Style | undefined>> = {
  removed: 'error',
  added: 'hint',
  kept: undefined,
};

function hunkLines(all: readonly DiffLine[], { start, end }: Hunk, paint: Paint): readonly string[] {
  const lines = all.slice(start, end);
  const places = [rangeOf(all, { start, end }, 'added'), rangeOf(all, { start, end }, 'removed')];
  return [
    paint('frame', `@@ -${places[0]} +${places[1]} @@`),
    ...lines.map(({ kind, text: line }) => {
      const text = paint === PLAIN ? line : printableLines(line);
      const style = STYLES[kind];
      return style ? paint(style, MARKS[kind] + text) : MARKS[kind] + text;
    }),
  ];
}

/** Returns the first line and number of lines in the version without lines of the kind `other`. */
function rangeOf(all: readonly DiffLine[], { start, end }: Hunk, other: DiffLine['kind']): string {
  const before = all.slice(0, start).filter(({ kind }) => kind !== other).length;
  const count = all.slice(start, end).filter(({ kind }) => kind !== other).length;
  const first = count === 0 ? before : before + 1;
  return count === 1 ? String(first) : `${first},${count}`;
}
