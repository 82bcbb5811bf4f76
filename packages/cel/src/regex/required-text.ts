import { isSingle } from './pattern/char-set.ts';
import { parsePattern } from './pattern/parse-pattern.ts';
import { itemsOf, type PatternNode } from './pattern/pattern.ts';

/** A shorter substring occurs in most strings; a longer one hardly excludes more of them. */
const [MIN_LENGTH, MAX_LENGTH] = [2, 16];

/** Returns an ASCII substring of every string that the pattern matches; undefined if there is none of at least two characters. */
export function requiredText(pattern: string): string | undefined {
  const parsed = parsePattern(pattern);
  if ('fault' in parsed) return undefined;
  let [longest, text] = ['', ''];
  for (const item of itemsOf(parsed)) {
    // Assertions take no characters.
    if (item.kind !== 'assertion') text = isAsciiLiteral(item) ? text + String.fromCodePoint(item.set[0]!) : '';
    if (text.length > longest.length) longest = text;
  }
  return longest.length < MIN_LENGTH ? undefined : longest.slice(0, MAX_LENGTH);
}

function isAsciiLiteral(node: PatternNode): node is Extract<PatternNode, { kind: 'set' }> {
  return node.kind === 'set' && isSingle(node.set) && node.set[0]! < 128;
}
