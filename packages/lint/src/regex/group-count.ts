/** Patterns without escapes and classes, and without a repetition of nothing: RE2 and JavaScript read these alike. */
const SIMPLE = /^(?:[\w\-/:=&@%,;~"'<>!# .|^$()]|[\w\-/:=&@%,;~"'<>!# .)][*+?])*$/;

/** Returns the number of capture groups of a simple pattern without parsing it; undefined for other patterns. */
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
