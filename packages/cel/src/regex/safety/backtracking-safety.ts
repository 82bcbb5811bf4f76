import { type CharSet, intersects, union } from '../pattern/char-set.ts';
import { itemsOf, type PatternNode } from '../pattern/pattern.ts';
import { isDeterministic } from './determinism.ts';
import { firstOfSequence, isNullable } from './first-set.ts';
import { sequenceCost } from './matching-cost.ts';

/** Steps per character of input that count as constant. */
const MAX_STEPS = 200;
/** Steps of the part after the last unbounded repetition, which is tried at each of its characters. */
const MAX_TAIL_STEPS = 60;
/** The longest pattern that is analysed, in positions; bounded repetitions count as often as they may repeat. */
const MAX_POSITIONS = 500;

/**
 * Returns true if V8's backtracking engine provably runs the (trimmed) pattern in time linear in the input. Sufficient but not necessary.
 * There are three cases:
 *
 * - Nothing repeats without bound: every position of the input costs a bounded number of steps.
 * - The pattern is anchored at the start and deterministic, except for a bounded tail that may be retried at every position.
 * - The same without the anchor, if the characters that unbounded repetitions consume can never start another match.
 */
export function isLinear(node: PatternNode): boolean {
  const items = itemsOf(node);
  if (positions(node) > MAX_POSITIONS) return false;
  if (sequenceCost(items).steps <= MAX_STEPS) return true;
  const [head, tail] = splitAfterLastLoop(items);
  if (!isDeterministic(head) || (!isDeterministic(items) && sequenceCost(tail).steps > MAX_TAIL_STEPS)) return false;
  return isAnchored(items) || (positions(node) <= MAX_STEPS && !isNullable(node) && loopsHoldNoStart(items));
}

function isAnchored([first]: readonly PatternNode[]): boolean {
  return first?.kind === 'assertion' && first.what === 'text-start';
}

/** Splits a sequence after its last unbounded repetition. */
function splitAfterLastLoop(
  items: readonly PatternNode[],
): [head: readonly PatternNode[], tail: readonly PatternNode[]] {
  const end = items.findLastIndex(item => loopSet(item).length > 0) + 1;
  return [items.slice(0, end), items.slice(end)];
}

function loopsHoldNoStart(items: readonly PatternNode[]): boolean {
  return !intersects(firstOfSequence(items), items.map(loopSet).reduce(union, []));
}

/** Returns the characters that unbounded repetitions in the node consume; undefined if one of them repeats more than a single set. */
function loopSet(node: PatternNode): CharSet {
  switch (node.kind) {
    case 'concat':
      return node.items.map(loopSet).reduce(union, []);
    case 'alternate':
      return node.branches.map(loopSet).reduce(union, []);
    case 'repeat':
      return node.max === undefined && node.body.kind === 'set' ? node.body.set : loopSet(node.body);
    default:
      return [];
  }
}

function positions(node: PatternNode): number {
  switch (node.kind) {
    case 'concat':
      return node.items.reduce((total, item) => total + positions(item), 0);
    case 'alternate':
      return node.branches.reduce((total, branch) => total + positions(branch), 0);
    case 'repeat':
      return positions(node.body) * Math.max(1, node.max ?? node.min + 1);
    default:
      return 1;
  }
}
