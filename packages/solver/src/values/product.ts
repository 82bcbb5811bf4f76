// The search for a string that several automata accept together, the most readable one first.

import type { Budget } from '../logic/budget.ts';
import {
  type Automaton,
  END,
  type LazyAutomaton,
  LEAST_WEIGHT,
  mergeCuts,
  type Representative,
  representativeOf,
} from './automaton.ts';
import type { Positions } from './pattern-automaton.ts';

/** One of the automata that a string must satisfy together. */
export interface Part {
  readonly cuts: Automaton['cuts'];
  readonly start: number;
  /** Returns the states after a character; several if there are several ways to go. */
  readonly next: (state: number, point: number) => readonly number[];
  readonly accepts: (state: number) => boolean;
  /** A lower bound on the number of characters to acceptance; infinite if there is no way. */
  readonly distance: (state: number) => number;
  /** Transitions that a step of it takes as long as. */
  readonly cost: number;
  /** Returns true if every string is accepted from here, so that the part need no longer be followed. */
  readonly isSettled: (state: number) => boolean;
}

/** Returns a part that accepts what the automaton accepts, or what it rejects. */
export function automatonPart(automaton: Automaton, isNegated: boolean): Part {
  const [toEnd, away] = isNegated ? [automaton.toReject, automaton.toAccept] : [automaton.toAccept, automaton.toReject];
  return {
    cuts: automaton.cuts,
    start: automaton.start,
    next: (state, point) => [automaton.next(state, point)],
    accepts: state => automaton.accepts(state) !== isNegated,
    cost: 1,
    distance: state => toEnd[state]!,
    isSettled: state => away[state] === Number.POSITIVE_INFINITY,
  };
}

/** As {@link automatonPart}, of an automaton that is not explored as a whole. */
export function lazyPart({ cuts, start, next, accepts }: LazyAutomaton, isNegated: boolean): Part {
  const isAccepted = (state: number) => accepts(state) !== isNegated;
  return {
    cuts,
    start,
    next: (state, point) => [next(state, point)],
    accepts: isAccepted,
    distance: state => (isAccepted(state) ? 0 : 1),
    cost: LAZY_COST,
    isSettled: () => false,
  };
}

/** A step of an automaton that is determinised on the way takes about as long as this many others. */
const LAZY_COST = 20;
/** What a step costs besides following the parts. */
const STEP_COST = 4;
/** Transitions that take about as long as a conflict. */
const TRANSITIONS_PER_UNIT = 16;

/** Returns a part that follows each way through a pattern by itself. */
export function positionsPart({ cuts, start, next, accepts, toAccept }: Positions): Part {
  return { cuts, start, next, accepts, distance: toAccept, cost: 4, isSettled: () => false };
}

/** Returns a part that can only tell whether there is a way to acceptance: it accepts where its language has a string that begins like this. */
function beginningOf(part: Part): Part {
  const isLive = (state: number) => part.distance(state) !== Number.POSITIVE_INFINITY;
  return { ...part, accepts: isLive, distance: state => (isLive(state) ? 0 : Number.POSITIVE_INFINITY) };
}

/** The result of a search for a string. */
type ProductResult =
  | { readonly kind: 'string'; readonly text: string; readonly states: readonly number[] }
  /** No string satisfies the parts at these positions. */
  | { readonly kind: 'empty'; readonly parts: readonly number[] }
  | { readonly kind: 'open' };

interface Node {
  /** The states of all parts; {@link SETTLED} for those that need not be followed. */
  readonly states: readonly number[];
  readonly cost: number;
  readonly before: Node | undefined;
  readonly point: number;
}

const SETTLED = -7;

/** Returns the most readable string that satisfies all parts, by a search that is guided by their distances (A*). */
export function findString(parts: readonly Part[], budget: Budget): ProductResult {
  return new Product(parts, budget).run(parts.map(part => part.start));
}

/**
 * Looks for a string that satisfies all parts, and one goal after the other: the product of n goals has 2^n states, but a string that
 * reaches one of them can be continued until it reaches the next. Undefined if no string was found this way, which proves nothing.
 * @param goals parts with one state after each string, that every string can be continued to satisfy, however it is then continued
 */
export function findChain(parts: readonly Part[], goals: readonly Part[], budget: Budget): string | undefined {
  const beginnings = parts.map(beginningOf);
  let states = parts.map(part => part.start);
  let text = '';
  const reached = goals.map(goal => goal.start);
  for (const [at, goal] of goals.entries()) {
    if (goal.isSettled(reached[at]!)) continue;
    const found = new Product([...beginnings, goal], budget).run([...states, reached[at]!]);
    if (found.kind !== 'string') return undefined;
    text += found.text;
    states = found.states.slice(0, parts.length);
    for (const character of found.text) {
      const point = character.codePointAt(0)!;
      goals.forEach((other, index) => {
        reached[index] = other.next(reached[index]!, point)[0]!;
      });
    }
  }
  const end = new Product(parts, budget).run(states);
  return end.kind === 'string' ? text + end.text : undefined;
}

class Product {
  readonly #parts: readonly Part[];
  readonly #budget: Budget;
  readonly #characters: readonly Representative[];
  /** Units of the budget for a state: all steps that lead out of it. */
  readonly #cost: number;
  readonly #open = new Heap<Node>();
  readonly #best = new Map<string, number>();
  /** The parts that ended a branch; together they are a reason why there is no string. */
  readonly #blamed = new Set<number>();

  constructor(parts: readonly Part[], budget: Budget) {
    this.#parts = parts;
    this.#budget = budget;
    this.#characters = charactersFor(parts);
    const step = parts.reduce((sum, part) => sum + part.cost, STEP_COST);
    this.#cost = Math.ceil((step * this.#characters.length) / TRANSITIONS_PER_UNIT);
  }

  run(start: readonly number[]): ProductResult {
    this.#push(start, undefined, { point: 0, weight: 0 });
    for (let node = this.#open.pop(); node !== undefined; node = this.#open.pop()) {
      if (node.cost > this.#best.get(node.states.join())!) continue;
      const refusing = this.#refusing(node.states);
      if (refusing < 0) return { kind: 'string', text: textOf(node), states: node.states };
      this.#blamed.add(refusing);
      this.#budget.spend(this.#cost);
      if (this.#budget.isSpent) return { kind: 'open' };
      this.#expand(node);
    }
    return { kind: 'empty', parts: [...this.#blamed].sort((a, b) => a - b) };
  }

  #refusing(states: readonly number[]): number {
    for (const at of this.#blamed) if (states[at] !== SETTLED && !this.#parts[at]!.accepts(states[at]!)) return at;
    return states.findIndex((state, at) => state !== SETTLED && !this.#parts[at]!.accepts(state));
  }

  #expand(node: Node): void {
    for (const character of this.#characters) {
      const targets = node.states.map((state, at) =>
        state === SETTLED ? STAY : this.#parts[at]!.next(state, character.point),
      );
      const stuck = targets.findIndex(found => found.length === 0);
      if (stuck >= 0) this.#blamed.add(stuck);
      else for (const states of combinations(targets)) this.#push(states, node, character);
    }
  }

  #push(reached: readonly number[], before: Node | undefined, { point, weight }: Representative): void {
    const states = reached.map((state, at) =>
      state !== SETTLED && this.#parts[at]!.isSettled(state) ? SETTLED : state,
    );
    let far = 0;
    for (const at of this.#blamed) if (this.#isDead(states, at)) return;
    for (let at = 0; at < states.length; at++) {
      if (states[at] === SETTLED) continue;
      const distance = this.#parts[at]!.distance(states[at]!);
      if (distance === Number.POSITIVE_INFINITY) {
        this.#blamed.add(at);
        return;
      }
      far = Math.max(far, distance);
    }
    const cost = (before?.cost ?? 0) + weight;
    const key = states.join();
    const known = this.#best.get(key);
    if (known !== undefined && known <= cost) return;
    this.#best.set(key, cost);
    this.#open.push(cost + far * LEAST_WEIGHT, { states, cost, before, point });
  }

  #isDead(states: readonly number[], at: number): boolean {
    const state = states[at]!;
    return state !== SETTLED && this.#parts[at]!.distance(state) === Number.POSITIVE_INFINITY;
  }
}

const STAY: readonly number[] = [SETTLED];

function combinations(choices: readonly (readonly number[])[]): readonly (readonly number[])[] {
  if (choices.every(one => one.length === 1)) return [choices.map(one => one[0]!)];
  return choices.reduce<readonly (readonly number[])[]>(
    (all, next) => all.flatMap(start => next.map(one => [...start, one])),
    [[]],
  );
}

function textOf(node: Node): string {
  const points: number[] = [];
  for (let at: Node | undefined = node; at?.before !== undefined; at = at.before) points.push(at.point);
  return points
    .reverse()
    .map(point => String.fromCodePoint(point))
    .join('');
}

/** Returns the most readable character of each interval in which all parts treat characters alike. */
function charactersFor(parts: readonly Part[]): readonly Representative[] {
  const cuts = mergeCuts(parts.map(part => part.cuts));
  return cuts.flatMap((cut, at) => representativeOf(cut, cuts[at + 1] ?? END) ?? []);
}

/** A priority queue; of equal priorities, the entry that was added first comes first. */
class Heap<T> {
  readonly #entries: { readonly priority: number; readonly order: number; readonly value: T }[] = [];
  #added = 0;

  push(priority: number, value: T): void {
    const entries = this.#entries;
    let at = entries.push({ priority, order: this.#added++, value }) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  /** Removes and returns the entry with the least priority. */
  pop(): T | undefined {
    const entries = this.#entries;
    const first = entries[0];
    const last = entries.pop();
    if (first === undefined || last === undefined || entries.length === 0) return first?.value;
    entries[0] = last;
    for (let at = 0; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < entries.length && this.#isBefore(child, least)) least = child;
      }
      if (least === at) return first.value;
      this.#swap(at, least);
      at = least;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [first, second] = [this.#entries[a]!, this.#entries[b]!];
    return first.priority === second.priority ? first.order < second.order : first.priority < second.priority;
  }

  #swap(a: number, b: number): void {
    [this.#entries[a], this.#entries[b]] = [this.#entries[b]!, this.#entries[a]!];
  }
}
