/** Of signs that mean the same by themselves, and of which none repeats what cannot be repeated: RE2 and JavaScript read these alike. */
const SIMPLE = /^(?:[\w\-/:=&@%,;~"'<>!# .|^$()]|[\w\-/:=&@%,;~"'<>!# .)][*+?])*$/;

/** How many groups a simple pattern remembers, without taking it apart; undefined for all others. */
export function simpleGroupCount(pattern: string): number | undefined {
  if (!SIMPLE.test(pattern)) return undefined;
  let [groups, depth] = [0, 0];
  for (const sign of pattern) {
    if (sign === '(') {
      groups += 1;
      depth += 1;
    } else if (sign === ')') {
      if (depth === 0) return undefined;
      depth -= 1;
    }
  }
  return depth === 0 ? groups : undefined;
}
