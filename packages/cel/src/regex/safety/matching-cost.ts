import { intersects } from '../pattern/char-set.ts';
import type { PatternNode, RepeatNode } from '../pattern/pattern.ts';
import { firstSet, isNullable } from './first-set.ts';

/** Upper bounds on what a backtracking engine spends on a node from one position. */
interface MatchingCost {
  /** The number of ways to match the node. */
  readonly paths: number;
  /** Characters and assertions tested on all of these ways together. */
  readonly steps: number;
}

const INFINITE: MatchingCost = { paths: Number.POSITIVE_INFINITY, steps: Number.POSITIVE_INFINITY };

/** Returns infinite bounds if something repeats without bound. */
function matchingCost(node: PatternNode): MatchingCost {
  switch (node.kind) {
    case 'empty':
      return { paths: 1, steps: 0 };
    case 'concat':
      return sequenceCost(node.items);
    case 'alternate':
      return choiceCost(node.branches);
    case 'repeat':
      return repeatCost(node);
    default:
      return { paths: 1, steps: 1 };
  }
}

/** Each way to match an item tries the next item again. */
export function sequenceCost(items: readonly PatternNode[]): MatchingCost {
  let paths = 1;
  let steps = 0;
  for (const item of items) {
    const cost = matchingCost(item);
    steps += paths * cost.steps;
    paths *= cost.paths;
    if (!Number.isFinite(steps) || !Number.isFinite(paths)) return INFINITE;
  }
  return { paths, steps };
}

/** One step rules out a branch that cannot begin with the next character, so only branches with a common first character add up. */
function choiceCost(branches: readonly PatternNode[]): MatchingCost {
  const parts = branches.map(branch => ({
    ...matchingCost(branch),
    first: firstSet(branch),
    open: isNullable(branch),
  }));
  let paths = 0;
  let steps = 0;
  for (const part of parts) {
    const rivals = parts.filter(other => other === part || other.open || intersects(other.first, part.first));
    paths = Math.max(paths, sum(rivals.map(rival => rival.paths)));
    steps = Math.max(steps, sum(rivals.map(rival => rival.steps)));
  }
  return { paths, steps: steps + branches.length };
}

function repeatCost({ body, min, max }: RepeatNode): MatchingCost {
  if (max === undefined) return INFINITE;
  const { paths, steps } = matchingCost(body);
  let ways = 1;
  let total = { paths: min === 0 ? 1 : 0, steps: 0 };
  for (let count = 1; count <= max; count++) {
    total = { paths: total.paths, steps: total.steps + ways * steps };
    ways *= paths;
    if (count >= min) total = { paths: total.paths + ways, steps: total.steps };
    if (ways > Number.MAX_SAFE_INTEGER) return INFINITE;
  }
  return { paths: Math.max(1, total.paths), steps: total.steps };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
