import { diffLines } from '@tollgate/diagnostics';

/** A range of a text, and what replaces it. */
export interface Region {
  readonly start: number;
  readonly end: number;
  readonly added: string;
}

/**
 * Returns what turns one text into the other, in order. Changes on different lines are different regions, so that what is between them
 * stays as it is.
 */
export function changedRegions(before: string, after: string): readonly Region[] {
  const regions: Region[] = [];
  let [start, from] = [0, 0];
  let [removed, added]: [string[], string[]] = [[], []];
  const close = () => {
    if (removed.length + added.length > 0) regions.push(...regionsOf(removed, added, start));
    [start, removed, added] = [from, [], []];
  };
  for (const { kind, text } of diffLines(before.split(/(?<=\n)/), after.split(/(?<=\n)/))) {
    if (kind === 'kept') close();
    if (kind === 'added') added.push(text);
    else from += text.length;
    if (kind === 'removed') removed.push(text);
    if (kind === 'kept') start = from;
  }
  close();
  return regions;
}

function regionsOf(removed: readonly string[], added: readonly string[], start: number): readonly Region[] {
  if (removed.length !== added.length) return [trimmed(removed.join(''), added.join(''), start)];
  let at = start;
  return removed.map((line, index) => {
    at += line.length;
    return trimmed(line, added[index]!, at - line.length);
  });
}

/** Returns a region without the characters at its ends that stay. */
function trimmed(removed: string, added: string, start: number): Region {
  const most = Math.min(removed.length, added.length);
  let head = 0;
  while (head < most && removed[head] === added[head]) head += 1;
  let tail = 0;
  while (tail < most - head && removed.at(-1 - tail) === added.at(-1 - tail)) tail += 1;
  return { start: start + head, end: start + removed.length - tail, added: added.slice(head, added.length - tail) };
}
