// Which patterns a backtracking engine such as V8 runs in linear or bounded time.

import { type CharSet, intersects, itemsOf, type PatternNode, type RepeatNode, union } from './pattern.ts';

/** Steps per character of input that count as constant. */
const MAX_CONSTANT_STEPS = 200;
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
  if (sequenceCost(items).steps <= MAX_CONSTANT_STEPS) return true;
  const [head, tail] = splitAfterLastLoop(items);
  if (!isDeterministic(head) || (!isDeterministic(items) && sequenceCost(tail).steps > MAX_TAIL_STEPS)) return false;
  return isAnchored(items) || (positions(node) <= MAX_CONSTANT_STEPS && !isNullable(node) && loopsHoldNoStart(items));
}

/**
 * Returns true if V8 provably finds all matches of a pattern in time linear in the input, one after the other. That is so where a single search is, and
 * where nothing after the first unbounded repetition can fail, as in `/user/([0-9]+)(.*)`: an attempt fails after a bounded number of steps, or it
 * succeeds without going back, and the search goes on after what it took.
 */
export function isLinearSearch(node: PatternNode): boolean {
  if (isLinear(node)) return true;
  const items = itemsOf(node);
  const first = items.findIndex(isLoop);
  const mayFail = (item: PatternNode) => item.kind !== 'repeat' || item.min > 0 || item.body.kind !== 'set';
  if (first < 0 || items.slice(first + 1).some(mayFail)) return false;
  return positions(node) <= MAX_POSITIONS && sequenceCost(items.slice(0, first)).steps <= MAX_CONSTANT_STEPS;
}

/** Whether a node repeats a single set without bound. */
function isLoop(node: PatternNode): boolean {
  return node.kind === 'repeat' && node.max === undefined && node.body.kind === 'set';
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

/** Steps on all ways to match, if each unbounded repetition had one length only. */
const MAX_STEPS = 200;
/** Unbounded repetitions that may be tried in combination: their number is the degree of the polynomial. */
const MAX_LOOPS = 3;

/**
 * Returns true if a backtracking engine spends at most a polynomial of low degree in the length of the input: no unbounded repetition matches
 * a string in two ways, and few follow one another.
 */
export function hasBoundedBacktracking(node: PatternNode): boolean {
  const loops = loopsIn(node);
  return loops <= MAX_LOOPS && sequenceCost(itemsOf(withoutLoops(node))).steps <= MAX_STEPS;
}

/** Infinite if a repetition may match in two ways. */
function loopsIn(node: PatternNode): number {
  switch (node.kind) {
    case 'concat':
      return node.items.reduce((sum, item) => sum + loopsIn(item), 0);
    case 'alternate':
      return Math.max(...node.branches.map(loopsIn));
    case 'repeat':
      if (node.max !== undefined) return node.max * loopsIn(node.body);
      return isUnambiguous(node.body) ? 1 : Number.POSITIVE_INFINITY;
    default:
      return 0;
  }
}

/** Whether a string is a sequence of matches of the node in at most one way. */
function isUnambiguous(node: PatternNode): boolean {
  const next: PatternNode = { kind: 'set', set: firstSet(node) };
  return !isNullable(node) && isDeterministic([...itemsOf(node), next]);
}

function withoutLoops(node: PatternNode): PatternNode {
  switch (node.kind) {
    case 'concat':
      return { kind: 'concat', items: node.items.map(withoutLoops) };
    case 'alternate':
      return { kind: 'alternate', branches: node.branches.map(withoutLoops) };
    case 'repeat':
      return node.max === undefined ? withoutLoops(node.body) : { ...node, body: withoutLoops(node.body) };
    default:
      return node;
  }
}

/**
 * Returns true if a backtracking engine that matches the sequence from a given position never has more than one choice: the next character
 * always leaves at most one. It then spends bounded time on each character. Unbounded repetitions must repeat a single character set, which
 * V8 runs in constant space.
 */
function isDeterministic(items: readonly PatternNode[]): boolean {
  return sequenceIsDeterministic(items, []);
}

/** @param follow the characters with which the rest may begin */
function sequenceIsDeterministic(items: readonly PatternNode[], follow: CharSet): boolean {
  let next = follow;
  for (const item of items.toReversed()) {
    if (!nodeIsDeterministic(item, next)) return false;
    next = isNullable(item) ? union(firstSet(item), next) : firstSet(item);
  }
  return true;
}

function nodeIsDeterministic(node: PatternNode, follow: CharSet): boolean {
  switch (node.kind) {
    case 'concat':
      return sequenceIsDeterministic(node.items, follow);
    case 'alternate':
      return choiceIsDeterministic(node.branches, follow);
    case 'repeat':
      return repeatIsDeterministic(node, follow);
    default:
      return true;
  }
}

function choiceIsDeterministic(branches: readonly PatternNode[], follow: CharSet): boolean {
  // Two empty branches are two ways to match nothing.
  if (branches.filter(isNullable).length > 1) return false;
  let taken: CharSet = branches.some(isNullable) ? follow : [];
  for (const branch of branches) {
    const first = firstSet(branch);
    if (intersects(first, taken) || !nodeIsDeterministic(branch, follow)) return false;
    taken = union(taken, first);
  }
  return true;
}

function repeatIsDeterministic({ body, min, max }: RepeatNode, follow: CharSet): boolean {
  if (max === 0) return true;
  if (isNullable(body)) return false;
  const first = firstSet(body);
  if (max !== min && intersects(first, follow)) return false;
  if (max === undefined) return body.kind === 'set';
  return nodeIsDeterministic(body, union(first, follow));
}

const NO_CHARACTERS: CharSet = [];

/** Returns the characters with which a match of the node may begin. Assertions are skipped. */
function firstSet(node: PatternNode): CharSet {
  switch (node.kind) {
    case 'set':
      return node.set;
    case 'alternate':
      return node.branches.map(firstSet).reduce(union);
    case 'repeat':
      return node.max === 0 ? NO_CHARACTERS : firstSet(node.body);
    case 'concat':
      return firstOfSequence(node.items);
    default:
      return NO_CHARACTERS;
  }
}

function firstOfSequence(items: readonly PatternNode[]): CharSet {
  const end = items.findIndex(item => !isNullable(item));
  const relevant = end < 0 ? items : items.slice(0, end + 1);
  return relevant.map(firstSet).reduce(union, NO_CHARACTERS);
}

/** Returns true if the node can match the empty string. */
function isNullable(node: PatternNode): boolean {
  switch (node.kind) {
    case 'empty':
    case 'assertion':
      return true;
    case 'set':
    case 'unicode-set':
      return false;
    case 'concat':
      return node.items.every(isNullable);
    case 'alternate':
      return node.branches.some(isNullable);
    case 'repeat':
      return node.min === 0 || isNullable(node.body);
  }
}

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
function sequenceCost(items: readonly PatternNode[]): MatchingCost {
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
