import { type CharSet, intersects, union } from '../pattern/char-set.ts';
import { itemsOf, type PatternNode } from '../pattern/pattern.ts';
import { isDeterministic } from './determinism.ts';
import { firstOfSequence, isNullable } from './first-set.ts';
import { sequenceCost } from './matching-cost.ts';

/** Steps on one character of the text that count as constant. */
const MAX_STEPS = 200;
/** Steps of what follows the last unbounded repetition, tried at each of its characters. */
const MAX_TAIL_STEPS = 60;
/** Places in the pattern with bounded repetitions written out. */
const MAX_PLACES = 500;

/**
 * Whether V8's backtracking engine tests for the (trimmed) pattern in time linear in the text, whatever the text. Sufficient,
 * not necessary. Three reasons, apart from what each needs not to happen often:
 *
 * - Nothing is repeated without bound: every place of the text costs a bounded number of steps.
 * - The pattern starts at the beginning of the text and is deterministic, but for a bounded tail that may be tried anew at
 *   every place.
 * - The same elsewhere in the text, when what unbounded repetitions pass over can never be where another match starts.
 */
export function isLinear(node: PatternNode): boolean {
  const items = itemsOf(node);
  if (places(node) > MAX_PLACES) return false;
  if (sequenceCost(items).steps <= MAX_STEPS) return true;
  const [head, tail] = splitAfterLastLoop(items);
  if (!isDeterministic(head) || (!isDeterministic(items) && sequenceCost(tail).steps > MAX_TAIL_STEPS)) return false;
  return isAnchored(items) || (places(node) <= MAX_STEPS && !isNullable(node) && loopsHoldNoStart(items));
}

function isAnchored([first]: readonly PatternNode[]): boolean {
  return first?.kind === 'assertion' && first.what === 'text-start';
}

/** After the last item that repeats without bound. */
function splitAfterLastLoop(
  items: readonly PatternNode[],
): [head: readonly PatternNode[], tail: readonly PatternNode[]] {
  const end = items.findLastIndex(item => loopSet(item).length > 0) + 1;
  return [items.slice(0, end), items.slice(end)];
}

function loopsHoldNoStart(items: readonly PatternNode[]): boolean {
  return !intersects(firstOfSequence(items), items.map(loopSet).reduce(union, []));
}

/** The characters that unbounded repetitions in the node pass over; those are of single sets where this is asked. */
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

function places(node: PatternNode): number {
  switch (node.kind) {
    case 'concat':
      return node.items.reduce((total, item) => total + places(item), 0);
    case 'alternate':
      return node.branches.reduce((total, branch) => total + places(branch), 0);
    case 'repeat':
      return places(node.body) * Math.max(1, node.max ?? node.min + 1);
    default:
      return 1;
  }
}
