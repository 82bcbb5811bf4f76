import { type CharSet, compilePattern, type PatternNode, patternTree } from '@tollgate/cel/tooling';
import { someNode } from './some-node.ts';

/**
 * Returns true if replacing all matches of a pattern certainly changes every string that has one. Sufficient but not necessary: either no
 * match begins as its replacement does, or the replacement is constant and no match, and there is at most one match or all have one length.
 */
export function alwaysChanges(pattern: string, replacement: string): boolean {
  const tree = patternTree(pattern)?.whole;
  if (tree === undefined) return false;
  const items = tree.kind === 'concat' ? tree.items : [tree];
  // The rest of a template is not known.
  const [start = ''] = replacement.split('$', 1);
  if (beginsOtherwise(items, start)) return true;
  const isConstant = start.length === replacement.length;
  const isAnchored = items[0]?.kind === 'assertion' && items[0].what === 'text-start';
  return isConstant && (isAnchored || lengthOf(tree) !== undefined) && !matchesAll(pattern, tree, replacement);
}

/** Whether some character of every match certainly differs from the one of the string. */
function beginsOtherwise(items: readonly PatternNode[], start: string): boolean {
  const rest = items.filter(({ kind }) => kind !== 'assertion');
  for (const [at, character] of [...start].entries()) {
    const item = rest[at];
    const first = item?.kind === 'repeat' && item.min > 0 ? item.body : item;
    if (first?.kind !== 'set') return false;
    if (!contains(first.set, character.codePointAt(0)!)) return true;
    if (item?.kind !== 'set') return false;
  }
  return false;
}

function contains(set: CharSet, codePoint: number): boolean {
  return set.some((low, at) => at % 2 === 0 && low <= codePoint && codePoint <= set[at + 1]!);
}

/** Whether the whole string may be a match. Word boundaries are other ones there than in a longer string. */
function matchesAll(pattern: string, tree: PatternNode, text: string): boolean {
  const compiled = compilePattern(`^(?:${pattern})$`);
  return someNode(tree, isWordBoundary) || !('test' in compiled) || compiled.test(text);
}

function isWordBoundary(node: PatternNode): boolean {
  return node.kind === 'assertion' && (node.what === 'word-boundary' || node.what === 'no-word-boundary');
}

/** Returns the number of characters of each match; undefined if they differ. */
function lengthOf(node: PatternNode): number | undefined {
  switch (node.kind) {
    case 'set':
    case 'unicode-set':
      return 1;
    case 'concat':
      return node.items
        .map(lengthOf)
        .reduce((sum, one) => (sum === undefined || one === undefined ? undefined : sum + one), 0);
    case 'alternate': {
      const [first, ...others] = node.branches.map(lengthOf);
      return others.every(one => one === first) ? first : undefined;
    }
    case 'repeat': {
      const length = lengthOf(node.body);
      return node.min === node.max && length !== undefined ? node.min * length : undefined;
    }
    default:
      return 0;
  }
}
