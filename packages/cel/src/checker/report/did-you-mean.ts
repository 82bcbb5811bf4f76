/**
 * Returns the candidate that was most likely meant: the one with the smallest edit distance, or else the only one that starts with the
 * name; undefined if none is close.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > LONGEST) return undefined;
  const names = [...candidates];
  return leastSlips(name, names) ?? onlyLonger(name, names);
}

function leastSlips(name: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let bound = Math.floor(name.length / SLIP_EVERY) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= bound) continue;
    const distance = slips(name, candidate);
    if (distance < bound) {
      best = candidate;
      bound = distance;
    }
  }
  return best;
}

function onlyLonger(name: string, candidates: readonly string[]): string | undefined {
  if (name.length < SHORTEST_BEGINNING) return undefined;
  const beginning = name.toLowerCase();
  const [only, ...others] = candidates.filter(candidate => candidate.toLowerCase().startsWith(beginning));
  return others.length === 0 ? only : undefined;
}

/** Shorter prefixes match too many names. */
const SHORTEST_BEGINNING = 3;

/** Time is quadratic in the length; longer names are rarely typed by hand. */
const LONGEST = 80;

/** Accept one edit per this many characters. */
const SLIP_EVERY = 3;

/** A difference in case counts less than an edit, because policies mix `req.method` and `req.Method`. */
const OTHER_CASE = 0.5;

function slips(name: string, candidate: string): number {
  return name.toLowerCase() === candidate.toLowerCase() ? OTHER_CASE : editDistance(name, candidate);
}

/** Insertions, deletions, replacements and swaps of neighbours (Damerau-Levenshtein, optimal string alignment). */
function editDistance(a: string, b: string): number {
  let twoBack: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(row[j - 1]! + 1, previous[j]! + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, twoBack[j - 2]! + 1);
      row.push(least);
    }
    twoBack = previous;
    previous = row;
  }
  return previous[b.length]!;
}
