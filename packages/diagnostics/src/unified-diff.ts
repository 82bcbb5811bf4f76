import { type Paint, printable, printableLines, type Style, WITHOUT_COLORS } from './code-frame.ts';

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
export function unifiedDiff({ name, before, after }: TextChange, paint: Paint = WITHOUT_COLORS): string {
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
      const text = paint === WITHOUT_COLORS ? line : printableLines(line);
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

/** Lines that only one of the two versions has, or that both have. */
export interface DiffLine {
  readonly kind: 'removed' | 'added' | 'kept';
  readonly text: string;
}

/** Half-open line ranges of both versions. */
interface Region {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Maximum size of the table for finding the fewest changes. */
const MAX_TABLE = 1_000_000;

/**
 * Compares two texts by lines, removed ones before added ones. Aligns them at the
 * lines that occur once in each ("patience diff"), with the fewest changes in between. Takes nearly linear time in the number of
 * lines; large parts without a common line are replaced as a whole.
 */
export function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const head = commonPrefix(before, after);
  const tail = commonPrefix(before.slice(head).reverse(), after.slice(head).reverse());
  return [
    ...lines('kept', before.slice(0, head)),
    ...diffMiddle({
      before: before.slice(head, before.length - tail),
      after: after.slice(head, after.length - tail),
    }),
    ...lines('kept', before.slice(before.length - tail)),
  ];
}

function diffMiddle({ before, after }: Region): readonly DiffLine[] {
  if (before.length === 0 || after.length === 0) return replaced({ before, after });
  const anchors = anchorsOf({ before, after });
  if (anchors.length === 0) {
    return before.length * after.length > MAX_TABLE ? replaced({ before, after }) : fewestChanges({ before, after });
  }
  const bounds = [...anchors, { inBefore: before.length, inAfter: after.length }];
  return bounds.flatMap(({ inBefore, inAfter }, index) => {
    const previous = bounds[index - 1];
    const from = previous ?? { inBefore: 0, inAfter: 0 };
    // From one anchor, a line that both have, to the next.
    return diffLines(before.slice(from.inBefore, inBefore), after.slice(from.inAfter, inAfter));
  });
}

interface Anchor {
  readonly inBefore: number;
  readonly inAfter: number;
}

/** Returns the longest sequence of lines that occur once in both texts, in the same order. */
function anchorsOf({ before, after }: Region): readonly Anchor[] {
  const inAfter = onceIn(after);
  const candidates: Anchor[] = [];
  for (const [line, index] of onceIn(before)) {
    const other = inAfter.get(line);
    if (other !== undefined) candidates.push({ inBefore: index, inAfter: other });
  }
  return longestRising(candidates);
}

/** Returns the index of each line that occurs once, in order. */
function onceIn(all: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [index, line] of all.entries()) {
    if (places.has(line)) repeated.add(line);
    places.set(line, index);
  }
  for (const line of repeated) places.delete(line);
  return places;
}

/** Returns the longest increasing subsequence: anchors in the order of both texts. */
function longestRising(anchors: readonly Anchor[]): readonly Anchor[] {
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [index, { inAfter }] of anchors.entries()) {
    const length = firstAbove(ends, end => anchors[end]!.inAfter > inAfter);
    previous[index] = ends[length - 1] ?? -1;
    ends[length] = index;
  }
  const rising: Anchor[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index]!) rising.push(anchors[index]!);
  return rising.reverse();
}

/** Returns the first index from which the condition holds (binary search). */
function firstAbove(ends: readonly number[], isAbove: (end: number) => boolean): number {
  let low = 0;
  for (let high = ends.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (isAbove(ends[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Uses the table of longest common subsequences. */
function fewestChanges({ before, after }: Region): readonly DiffLine[] {
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const isSame = before[i] === after[j];
      const [down, right] = [common[(i + 1) * width + j]!, common[i * width + j + 1]!];
      common[i * width + j] = isSame ? common[(i + 1) * width + j + 1]! + 1 : Math.max(down, right);
    }
  }
  const result: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && before[i] === after[j]) {
      result.push({ kind: 'kept', text: before[i++]! });
      j++;
    } else if (
      i < before.length &&
      (j === after.length || common[(i + 1) * width + j]! >= common[i * width + j + 1]!)
    ) {
      result.push({ kind: 'removed', text: before[i++]! });
    } else result.push({ kind: 'added', text: after[j++]! });
  }
  return result;
}

function replaced({ before, after }: Region): readonly DiffLine[] {
  return [...lines('removed', before), ...lines('added', after)];
}

function lines(kind: DiffLine['kind'], texts: readonly string[]): readonly DiffLine[] {
  return texts.map(text => ({ kind, text }));
}

function commonPrefix(a: readonly string[], b: readonly string[]): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) if (a[index] !== b[index]) return index;
  return length;
}
