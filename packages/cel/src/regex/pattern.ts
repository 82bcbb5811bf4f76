/** A regular expression as far as it affects whether a string matches; captures are left out. */
export type PatternNode =
  | { readonly kind: 'empty' }
  /** One code point of a set. A literal character is a set of one. */
  | { readonly kind: 'set'; readonly set: CharSet }
  /** One code point of a set that only the RE2 engine knows: Unicode properties, case folding beyond ASCII. */
  | { readonly kind: 'unicode-set' }
  | { readonly kind: 'assertion'; readonly what: Assertion }
  | { readonly kind: 'concat'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'alternate'; readonly branches: readonly PatternNode[] }
  | RepeatNode;

export interface RepeatNode {
  readonly kind: 'repeat';
  readonly body: PatternNode;
  readonly min: number;
  /** Undefined if there is no upper bound. */
  readonly max: number | undefined;
}

export type Assertion = 'text-start' | 'text-end' | 'line-start' | 'line-end' | 'word-boundary' | 'no-word-boundary';

export const EMPTY: PatternNode = { kind: 'empty' };

export function concat(items: readonly PatternNode[]): PatternNode {
  const flat = items.flatMap(item => (item.kind === 'concat' ? item.items : item.kind === 'empty' ? [] : [item]));
  if (flat.length === 0) return EMPTY;
  return flat.length === 1 ? flat[0]! : { kind: 'concat', items: flat };
}

export function alternate(branches: readonly PatternNode[]): PatternNode {
  return branches.length === 1 ? branches[0]! : { kind: 'alternate', branches };
}

/** Returns the items of a sequence; any other node is its own only item. */
export function itemsOf(node: PatternNode): readonly PatternNode[] {
  if (node.kind === 'concat') return node.items;
  return node.kind === 'empty' ? [] : [node];
}

/** RE2's limit on a repetition count, and on the product of nested counts. */
const MAX_REPEATS = 1000;

/** Counts, and escapes that look as if they had one: `\x{66}` is one character. */
const COUNTS = /\\x?.|\{(\d+)(?:,(\d*))?\}/g;

/**
 * Returns an upper bound on the size of a regular expression with its counted repetitions expanded, which bounds the cost of compiling it
 * and of each step of matching. It must be cheap because a client may supply the pattern, so it is the length times all counts, as if they
 * were nested.
 */
export function patternSize(pattern: string): number {
  if (!pattern.includes('{')) return pattern.length;
  let repeats = 1;
  for (const [, least = '1', most] of pattern.matchAll(COUNTS)) {
    repeats = Math.min(MAX_REPEATS, repeats * Math.max(1, Number(most || least)));
  }
  return pattern.length * repeats;
}

/** Returns true if the size exceeds a limit; does not scan a pattern whose length already does. */
export function isPatternTooLarge(pattern: string, limit: number): boolean {
  return pattern.length > limit || patternSize(pattern) > limit;
}

/** A set of code points: ranges `[low, high]`, both inclusive, one after the other, ascending, with gaps between them. */
export type CharSet = readonly number[];

/** The greatest code point. */
export const LAST_CODE_POINT = 0x10ffff;

export function single(codePoint: number): CharSet {
  return [codePoint, codePoint];
}

/** @param ranges in any order, possibly overlapping */
export function normalize(ranges: readonly number[]): CharSet {
  const pairs: [number, number][] = [];
  for (let i = 0; i < ranges.length; i += 2) pairs.push([ranges[i]!, ranges[i + 1]!]);
  pairs.sort((a, b) => a[0] - b[0]);
  const result: number[] = [];
  for (const [low, high] of pairs) {
    const last = result.length - 1;
    if (last > 0 && low <= result[last]! + 1) result[last] = Math.max(result[last]!, high);
    else result.push(low, high);
  }
  return result;
}

/** Returns the code points that are not in a set. */
export function negate(set: CharSet): CharSet {
  const result: number[] = [];
  let next = 0;
  for (let i = 0; i < set.length; i += 2) {
    if (set[i]! > next) result.push(next, set[i]! - 1);
    next = set[i + 1]! + 1;
  }
  if (next <= LAST_CODE_POINT) result.push(next, LAST_CODE_POINT);
  return result;
}

export function intersects(a: CharSet, b: CharSet): boolean {
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i + 1]! < b[j]!) i += 2;
    else if (b[j + 1]! < a[i]!) j += 2;
    else return true;
  }
  return false;
}

export function isSingle(set: CharSet): boolean {
  return set.length === 2 && set[0] === set[1];
}

/** Returns the set closed under Unicode simple case folding; undefined if it has members beyond ASCII, which would require a table. */
export function foldAscii(set: CharSet): CharSet | undefined {
  if (set.length > 0 && set.at(-1)! > 0x7f) return undefined;
  const result = [...set];
  addShifted(result, set, UPPER_CASE, 32);
  addShifted(result, set, LOWER_CASE, -32);
  // The Kelvin sign and the long s.
  if (intersects(set, [0x4b, 0x4b, 0x6b, 0x6b])) result.push(0x212a, 0x212a);
  if (intersects(set, [0x53, 0x53, 0x73, 0x73])) result.push(0x17f, 0x17f);
  return normalize(result);
}

const UPPER_CASE = [0x41, 0x5a] as const;
const LOWER_CASE = [0x61, 0x7a] as const;

function addShifted(result: number[], set: CharSet, [first, last]: readonly [number, number], by: number): void {
  for (let i = 0; i < set.length; i += 2) {
    const low = Math.max(set[i]!, first);
    const high = Math.min(set[i + 1]!, last);
    if (low <= high) result.push(low + by, high + by);
  }
}

export function union(a: CharSet, b: CharSet): CharSet {
  return normalize([...a, ...b]);
}

const DIGIT: CharSet = [0x30, 0x39];
const WORD: CharSet = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];
/** Without the vertical tab, unlike the POSIX class. */
const SPACE: CharSet = [0x09, 0x0a, 0x0c, 0x0d, 0x20, 0x20];

/** By the letter of the escape. */
export const PERL_SETS: Readonly<Record<string, CharSet>> = {
  d: DIGIT,
  D: negate(DIGIT),
  s: SPACE,
  S: negate(SPACE),
  w: WORD,
  W: negate(WORD),
};

/** By the name in `[[:name:]]`. */
export const POSIX_SETS: ReadonlyMap<string, CharSet> = new Map<string, CharSet>([
  ['alnum', [0x30, 0x39, 0x41, 0x5a, 0x61, 0x7a]],
  ['alpha', [0x41, 0x5a, 0x61, 0x7a]],
  ['ascii', [0x00, 0x7f]],
  ['blank', [0x09, 0x09, 0x20, 0x20]],
  ['cntrl', [0x00, 0x1f, 0x7f, 0x7f]],
  ['digit', DIGIT],
  ['graph', [0x21, 0x7e]],
  ['lower', [0x61, 0x7a]],
  ['print', [0x20, 0x7e]],
  ['punct', [0x21, 0x2f, 0x3a, 0x40, 0x5b, 0x60, 0x7b, 0x7e]],
  ['space', [0x09, 0x0d, 0x20, 0x20]],
  ['upper', [0x41, 0x5a]],
  ['word', WORD],
  ['xdigit', [0x30, 0x39, 0x41, 0x46, 0x61, 0x66]],
]);
