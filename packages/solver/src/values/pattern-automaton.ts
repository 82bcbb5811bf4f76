// Automata of RE2 patterns, from the programs that the RE2 library compiles.

import { compileRe2 } from '@tollgate/cel/tooling';
import { type Cuts, cutsAround, type LazyAutomaton, mergeCuts } from './automaton.ts';

// The compiled program of the RE2 port is an internal of that library: `pattern-program.test.ts` pins what is read here.

/** One instruction. */
interface Instruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  readonly runes: ArrayLike<number>;
  readonly matchRune: (rune: number) => boolean;
}

/** Instruction codes of the library. */
const OP = {
  ALT: 1,
  ALT_MATCH: 2,
  CAPTURE: 3,
  EMPTY_WIDTH: 4,
  FAIL: 5,
  MATCH: 6,
  NOP: 7,
  RUNE: 8,
  RUNE1: 9,
  RUNE_ANY: 10,
  RUNE_ANY_NOT_NL: 11,
} as const;

/** What an assertion demands of the characters around it; a bit set as in the library. */
const FLAG = {
  BEGIN_LINE: 1,
  END_LINE: 2,
  BEGIN_TEXT: 4,
  END_TEXT: 8,
  WORD_BOUNDARY: 16,
  NO_WORD_BOUNDARY: 32,
} as const;

/** What assertions see of a character. `edge`: there is none. */
export const KIND = { edge: 0, newline: 1, word: 2, other: 3 } as const;
/** One of {@link KIND}. */
export type Kind = (typeof KIND)[keyof typeof KIND];

/** A pattern as instructions between characters. */
export interface PatternProgram {
  readonly start: number;
  /** The number of instructions. */
  readonly size: number;
  readonly cuts: Cuts;
  /** Returns the instructions that read a character, reached without reading one between characters of these kinds. */
  readonly closure: (from: readonly number[], before: Kind, after: Kind) => Closure;
  /** Returns the next instruction if one that reads a character reads this one. */
  readonly read: (instruction: number, point: number) => number | undefined;
}

/** What can be reached without reading a character. */
interface Closure {
  readonly readers: readonly number[];
  readonly isMatch: boolean;
}

/** Compiles a pattern; undefined if it is invalid or has a construct that the solver does not model. */
export function patternProgram(pattern: string): PatternProgram | undefined {
  const compiled = compileRe2(pattern);
  if (!('engine' in compiled)) return undefined;
  const found = programIn(compiled.engine);
  if (found === undefined || !found.inst.every(({ op }) => op >= OP.ALT && op <= OP.RUNE_ANY_NOT_NL)) return undefined;
  const { inst, start } = found;
  return {
    start,
    size: inst.length,
    cuts: cutsOf(inst),
    closure: (from, before, after) => closureOf(inst, from, flagsBetween(before, after)),
    read: (at, point) => (reads(inst[at]!, point) ? inst[at]!.out : undefined),
  };
}

function programIn(engine: object): { readonly inst: readonly Instruction[]; readonly start: number } | undefined {
  const re2 = member(engine, 're2Input');
  const program = re2 && member(re2, 'prog');
  if (program === undefined || !('inst' in program) || !('start' in program)) return undefined;
  const { inst, start } = program;
  return Array.isArray(inst) && inst.every(isInstruction) && typeof start === 'number' ? { inst, start } : undefined;
}

function member(object: object, name: string): object | undefined {
  const value: unknown = Reflect.get(object, name);
  return typeof value === 'object' && value !== null ? value : undefined;
}

function isInstruction(value: unknown): value is Instruction {
  return typeof value === 'object' && value !== null && 'op' in value && 'matchRune' in value;
}

function reads(instruction: Instruction, point: number): boolean {
  switch (instruction.op) {
    case OP.RUNE_ANY:
      return true;
    case OP.RUNE_ANY_NOT_NL:
      return point !== NEWLINE;
    default:
      return instruction.matchRune(point);
  }
}

const NEWLINE = 0x0a;

/** Returns what assertions see of a character. Word characters are ASCII. */
export function kindOf(point: number): Kind {
  if (point === NEWLINE) return KIND.newline;
  const isDigit = point >= 0x30 && point <= 0x39;
  const isLetter = (point | 0x20) >= 0x61 && (point | 0x20) <= 0x7a && point < 0x80;
  return isDigit || isLetter || point === 0x5f ? KIND.word : KIND.other;
}

function flagsBetween(before: Kind, after: Kind): number {
  let flags = before === KIND.edge ? FLAG.BEGIN_TEXT | FLAG.BEGIN_LINE : before === KIND.newline ? FLAG.BEGIN_LINE : 0;
  flags |= after === KIND.edge ? FLAG.END_TEXT | FLAG.END_LINE : after === KIND.newline ? FLAG.END_LINE : 0;
  const isBoundary = (before === KIND.word) !== (after === KIND.word);
  return flags | (isBoundary ? FLAG.WORD_BOUNDARY : FLAG.NO_WORD_BOUNDARY);
}

function closureOf(inst: readonly Instruction[], from: readonly number[], flags: number): Closure {
  const seen = new Set<number>();
  const readers: number[] = [];
  let isMatch = false;
  const open = [...from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const { op, out, arg } = inst[at]!;
    if (op >= OP.RUNE) readers.push(at);
    else if (op === OP.MATCH) isMatch = true;
    else if (op === OP.ALT || op === OP.ALT_MATCH) open.push(out, arg);
    else if (op !== OP.FAIL && (op !== OP.EMPTY_WIDTH || (arg & ~flags) === 0)) open.push(out);
  }
  return { readers: readers.sort((a, b) => a - b), isMatch };
}

/** Single characters may also match others that differ only in case: those have cuts of their own. */
function cutsOf(inst: readonly Instruction[]): Cuts {
  const all: Cuts[] = [];
  const needsKinds = inst.some(({ op }) => op === OP.EMPTY_WIDTH);
  if (needsKinds) all.push(KIND_CUTS);
  for (const instruction of inst) {
    const { op, runes } = instruction;
    if (op === OP.RUNE_ANY_NOT_NL) all.push(cutsAround([NEWLINE]));
    if (op !== OP.RUNE && op !== OP.RUNE1) continue;
    if (runes.length === 1) all.push(cutsAround(variantsOf(runes[0]!).filter(point => instruction.matchRune(point))));
    else all.push(Array.from(runes, (rune, at) => rune + (at % 2)).filter(cut => cut < 0x11_0000));
  }
  return mergeCuts(all);
}

const KIND_CUTS: Cuts = [0x00, 0x0a, 0x0b, 0x30, 0x3a, 0x41, 0x5b, 0x5f, 0x60, 0x61, 0x7b];

/** Returns a superset of the characters that equal this one in some comparison that ignores case. */
function variantsOf(point: number): readonly number[] {
  if (point < 0x80) return ASCII_VARIANTS[point]!;
  const found = new Set([point, ...WITHOUT_A_WAY_BACK]);
  for (const one of [...found]) {
    const text = String.fromCodePoint(one);
    const [upper, lower] = [text.toUpperCase(), text.toLowerCase()];
    for (const other of [upper, lower, upper.toLowerCase(), lower.toUpperCase()]) {
      if ([...other].length === 1) found.add(other.codePointAt(0)!);
    }
  }
  return [...found];
}

/** Two letters of ASCII are also the lower case of others: of the Kelvin sign and of the long s. */
const ASCII_VARIANTS: readonly (readonly number[])[] = Array.from({ length: 0x80 }, (_, point) => {
  const text = String.fromCharCode(point);
  const both = [text.toLowerCase(), text.toUpperCase()].map(one => one.charCodeAt(0));
  if (both[0] === 0x6b) return [...both, 0x212a];
  return both[0] === 0x73 ? [...both, 0x17f] : both;
});

/** The characters that are neither the lower nor the upper case of the one that their own lower or upper case is (Unicode 17). */
const WITHOUT_A_WAY_BACK: readonly number[] = [
  ...[0xb5, 0x131, 0x17f, 0x1c5, 0x1c8, 0x1cb, 0x1f2, 0x345, 0x3c2, 0x3d0, 0x3d1, 0x3d5, 0x3d6, 0x3f0, 0x3f1, 0x3f4],
  ...[0x3f5, 0x1c80, 0x1c81, 0x1c82, 0x1c83, 0x1c84, 0x1c85, 0x1c86, 0x1c87, 0x1c88, 0x1e9b, 0x1e9e, 0x1f88, 0x1f89],
  ...[0x1f8a, 0x1f8b, 0x1f8c, 0x1f8d, 0x1f8e, 0x1f8f, 0x1f98, 0x1f99, 0x1f9a, 0x1f9b, 0x1f9c, 0x1f9d, 0x1f9e, 0x1f9f],
  ...[0x1fa8, 0x1fa9, 0x1faa, 0x1fab, 0x1fac, 0x1fad, 0x1fae, 0x1faf, 0x1fbc, 0x1fbe, 0x1fcc, 0x1ffc, 0x2126, 0x212a],
  0x212b,
];

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
