import type { LazyAutomaton } from './automaton.ts';
import type { Cuts } from './code-points.ts';
import { KIND, type Kind, kindOf, type PatternProgram } from './pattern-program.ts';

/**
 * Accepts the strings in which the pattern matches somewhere. A state is the set of instructions that are waiting for the next character,
 * with the kind of the last one, on which assertions depend.
 */
export function patternAutomaton(program: PatternProgram): LazyAutomaton {
  const sets = new StateSets();
  const matched = sets.matched;
  const step = (state: number, point: number): number => {
    if (state === matched) return matched;
    const { waiting, last } = sets.at(state);
    const kind = kindOf(point);
    const { readers, isMatch } = program.closure(waiting, last, kind);
    if (isMatch) return matched;
    const next = new Set<number>([program.start]);
    for (const reader of readers) {
      const target = program.read(reader, point);
      if (target !== undefined) next.add(target);
    }
    return sets.numberOf(
      [...next].sort((a, b) => a - b),
      kind,
    );
  };
  const accepts = (state: number) => {
    if (state === matched) return true;
    const { waiting, last } = sets.at(state);
    return program.closure(waiting, last, KIND.edge).isMatch;
  };
  return { cuts: program.cuts, start: sets.numberOf([program.start], KIND.edge), next: step, accepts };
}

interface StateSet {
  readonly waiting: readonly number[];
  readonly last: Kind;
}

class StateSets {
  readonly #sets: StateSet[] = [];
  readonly #numbers = new Map<string, number>();
  readonly matched = -1;

  at(state: number): StateSet {
    return this.#sets[state]!;
  }

  numberOf(waiting: readonly number[], last: Kind): number {
    const key = `${last}:${waiting.join()}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#sets.push({ waiting, last }) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }
}

/** A nondeterministic automaton: a string is accepted if one of the ways through it is. */
export interface Positions {
  readonly cuts: Cuts;
  readonly start: number;
  readonly next: (state: number, point: number) => readonly number[];
  readonly accepts: (state: number) => boolean;
  /** A lower bound on the number of characters to acceptance. */
  readonly toAccept: (state: number) => number;
}

/** As {@link patternAutomaton}, with single instructions as states: never large, but there may be several ways to go. */
export function patternPositions(program: PatternProgram): Positions {
  const { size, start } = program;
  const matched = size * KINDS;
  const next = (state: number, point: number): readonly number[] => {
    if (state === matched) return [matched];
    const kind = kindOf(point);
    const { readers, isMatch } = program.closure([Math.floor(state / KINDS)], lastOf(state), kind);
    if (isMatch) return [matched];
    const targets = readers.flatMap(reader => program.read(reader, point) ?? []);
    // A match may begin at any character, so the start waits along with every other way that has not begun.
    if (Math.floor(state / KINDS) === start) targets.push(start);
    return [...new Set(targets)].map(target => target * KINDS + kind);
  };
  const accepts = (state: number) =>
    state === matched || program.closure([Math.floor(state / KINDS)], lastOf(state), KIND.edge).isMatch;
  const distances = distancesTo(program);
  return {
    cuts: program.cuts,
    start: start * KINDS + KIND.edge,
    next,
    accepts,
    toAccept: state => (state === matched ? 0 : (distances.get(Math.floor(state / KINDS)) ?? Number.POSITIVE_INFINITY)),
  };
}

const KINDS = 4;
const ALL_KINDS = Object.values(KIND);

function lastOf(state: number): Kind {
  return ALL_KINDS[state % KINDS]!;
}

/** Returns the least number of characters from each instruction to a match, whatever assertions demand. */
function distancesTo(program: PatternProgram): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const closures = Array.from({ length: program.size }, (_, at) => {
    const all = ALL_KINDS.flatMap(before => ALL_KINDS.map(after => program.closure([at], before, after)));
    return { readers: new Set(all.flatMap(({ readers }) => readers)), isMatch: all.some(({ isMatch }) => isMatch) };
  });
  closures.forEach(({ isMatch }, at) => {
    if (isMatch) found.set(at, 0);
  });
  const points = program.cuts;
  const targets = closures.map(({ readers }) => {
    const all = [...readers].flatMap(reader => points.map(point => program.read(reader, point)));
    return [...new Set(all)].filter(target => target !== undefined);
  });
  for (let distance = 1, grew = true; grew; distance++) {
    grew = false;
    targets.forEach((reached, at) => {
      if (found.has(at) || !reached.some(target => found.get(target) === distance - 1)) return;
      found.set(at, distance);
      grew = true;
    });
  }
  return found;
}
