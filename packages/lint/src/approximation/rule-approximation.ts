import type { Environment, TypedAst } from '@tollgate/cel';
import { Work } from '../primitives/work.ts';
import { OTHER_TEXTS } from '../solver/formula/simple-test.ts';
import { type Leaf, outcomesIn, type Sketch, TRUE, type World } from './abstract-condition.ts';
import { sketchOf } from './approximate.ts';
import { steerAll, worldWith } from './model.ts';

/** Rules that may take from another one what it matches. */
export interface Rivals {
  /** At least those that may hold in a world. */
  readonly mayHoldIn: (world: World) => readonly RuleSketch[];
}

/** The conditions of a rule, as far as it is easily seen what they ask. All answers are certain when they are true; false says nothing. */
export class RuleSketch {
  readonly whole:
    | Extract<Sketch, { readonly kind: 'all' }>
    | { readonly kind: 'all'; readonly parts: readonly Sketch[] };
  #world: World | undefined;
  #isSought = false;
  readonly #work: Work;

  constructor(expressions: readonly TypedAst[], environment: Environment, work = new Work()) {
    this.#work = work;
    this.whole = { kind: 'all', parts: expressions.map(one => sketchOf(one, environment)) };
  }

  /** Whether each of its expressions, and each part that they are joined from, may be true and may be false. */
  isContingent(): boolean {
    return this.whole.parts.every(isContingent);
  }

  /** Whether there is an input that fulfils it. */
  canMatch(): boolean {
    return this.#match() !== undefined;
  }

  /** Whether some input fulfils it, and none of the others. */
  escapes(others: Rivals): boolean {
    const world = this.#match();
    return world !== undefined && isLeft(world, this.whole, others, this.#work);
  }

  /** Whether of all alternatives that it has some input fulfils it by that one, and none of the others. */
  escapesInAllWays(others: Rivals): boolean {
    const ways = this.whole.parts.map(waysOf);
    return ways.every(found => found?.every(way => this.#escapesBy(way, others)));
  }

  #escapesBy(way: Sketch, others: Rivals): boolean {
    const condition: Sketch = { kind: 'all', parts: [way, this.whole] };
    const world = worldWith([[condition, true]]);
    return world !== undefined && isLeft(world, condition, others, this.#work);
  }

  /** Whether some input does not fulfil it. */
  canFail(): boolean {
    return isLeft(NOTHING, EVERYTHING, { mayHoldIn: () => [this] }, this.#work);
  }

  /** Paths of the inputs that it reads, one of them more than once perhaps; undefined where that is not easily seen. */
  paths(): readonly string[] | undefined {
    const found: string[] = [];
    return collectPaths(this.whole, found) ? found : undefined;
  }

  /** Is not changed by who gets it. */
  #match(): World | undefined {
    if (!this.#isSought) {
      this.#isSought = true;
      this.#world = worldWith([[this.whole, true]]);
    }
    return this.#world;
  }
}

/** Whether some input fulfils none of the rules. */
export function isMoreThan(rules: readonly RuleSketch[], work = new Work()): boolean {
  return isLeft(NOTHING, EVERYTHING, { mayHoldIn: () => rules }, work);
}

const NOTHING: World = new Map();
const EVERYTHING: Sketch = { kind: 'all', parts: [] };

function collectPaths(sketch: Sketch, found: string[]): boolean {
  switch (sketch.kind) {
    case 'leaf':
      if (sketch.path !== undefined) found.push(sketch.path);
      return sketch.path !== undefined;
    case 'not':
      return collectPaths(sketch.part, found);
    case 'constant':
      return true;
    case 'unknown':
      return false;
    default:
      return sketch.parts.every(part => collectPaths(part, found));
  }
}

/** Whether nothing of the others holds in the world, or in one that is made from it, in which the condition still does. */
function isLeft(world: World, condition: Sketch, others: Rivals, work: Work): boolean {
  if (work.isSpent) return false;
  const holding = holdingIn(world, others, work);
  if (holding.length === 0) return true;
  const other: World = new Map(world);
  work.spend(holding.length);
  const wishes = holding.map(({ whole }) => [whole, false] as const);
  return steerAll(other, [[condition, true], ...wishes]) && holdingIn(other, others, work).length === 0;
}

function holdingIn(world: World, others: Rivals, work: Work): readonly RuleSketch[] {
  const found = others.mayHoldIn(world);
  work.spend(1 + found.length);
  return found.filter(({ whole }) => (outcomesIn(world, whole) & TRUE) !== 0);
}

/** The operands of `||`, and the elements of lists of `in`, at the root or in the operands of its `&&`; undefined where they are not known. */
function waysOf(sketch: Sketch): readonly Sketch[] | undefined {
  if (sketch.kind === 'unknown') return undefined;
  if (sketch.kind === 'any' || sketch.kind === 'leaf') return alternativesOf(sketch);
  if (sketch.kind !== 'all') return [];
  const found = sketch.parts.map(waysOf);
  return found.includes(undefined) ? undefined : found.flatMap(one => one!);
}

function alternativesOf(sketch: Sketch): readonly Sketch[] {
  if (sketch.kind === 'any')
    return sketch.parts.flatMap(part => (part.kind === 'any' ? alternativesOf(part) : split(part)));
  return split(sketch).length > 1 ? split(sketch) : [];
}

function split(sketch: Sketch): readonly Sketch[] {
  if (sketch.kind !== 'leaf' || sketch.asks.kind !== 'value' || sketch.asks.literals.length < 2) return [sketch];
  const { asks } = sketch;
  return asks.literals.map(literal => ({ ...sketch, asks: { ...asks, literals: [literal], set: undefined } }));
}

function isContingent(sketch: Sketch): boolean {
  return asksOnce(sketch, []) || isSeenContingent(sketch);
}

function isSeenContingent(sketch: Sketch): boolean {
  if (!worldWith([[sketch, true]]) || !worldWith([[sketch, false]])) return false;
  return sketch.kind !== 'all' && sketch.kind !== 'any' ? true : sketch.parts.every(isSeenContingent);
}

/** Whether it asks one thing of each value, which may be so or not: then every part of it may be. */
function asksOnce(sketch: Sketch, keys: string[]): boolean {
  switch (sketch.kind) {
    case 'leaf':
      return isOpen(sketch) && isNew(sketch.key, keys) && (sketch.needed === undefined || isNew(sketch.needed, keys));
    case 'not':
      return asksOnce(sketch.part, keys);
    case 'all':
    case 'any':
      return sketch.parts.every(part => asksOnce(part, keys));
    default:
      return false;
  }
}

function isOpen({ asks }: Leaf): boolean {
  if (asks.kind === 'pattern') return asks.sample !== undefined && OTHER_TEXTS.some(text => !asks.test(text));
  if (asks.kind === 'size') return asks.literals.every(size => Number(size) > 0);
  return asks.kind !== 'address';
}

function isNew(key: string, keys: string[]): boolean {
  if (keys.includes(key)) return false;
  keys.push(key);
  return true;
}
