/** The candidate that was most likely meant, by the least number of typing slips; undefined when none is near. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = slips(name, candidate, bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** A name in other letter case counts as one slip: policies mix `req.method` and `req.Method`. */
function slips(name: string, candidate: string, limit: number): number {
  if (name.toLowerCase() === candidate.toLowerCase()) return Math.min(1, limit - 1);
  return editDistance(name, candidate);
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
