// Deterministic automata over code points, which are cut into intervals that behave alike.

/** A deterministic automaton by its functions; states are numbers, and `start` is one. */
export interface LazyAutomaton {
  readonly cuts: Cuts;
  readonly start: number;
  readonly next: (state: number, point: number) => number;
  readonly accepts: (state: number) => boolean;
}

/** A minimal deterministic automaton. State 0 is the start. */
export interface Automaton extends LazyAutomaton {
  readonly size: number;
  /** The least number of characters to acceptance and to rejection, by state; infinite if there is no way. */
  readonly toAccept: readonly number[];
  readonly toReject: readonly number[];
}

/** Automata with more states are only explored as far as a question needs. */
const MAX_STATES = 2000;

/** Returns the minimal automaton; undefined if it has too many states before they are merged. */
export function materialize(lazy: LazyAutomaton, limit = MAX_STATES): Automaton | undefined {
  // Surrogates have an interval of their own, so that every other interval has a representative.
  const cuts = mergeCuts([lazy.cuts]);
  const explored = explore({ ...lazy, cuts }, limit);
  return explored && minimize(cuts, explored);
}

interface Table {
  /** The class of each interval between cuts. */
  readonly classes: readonly number[];
  readonly rows: readonly (readonly number[])[];
  readonly accepting: readonly boolean[];
}

function explore({ cuts, start, next, accepts }: LazyAutomaton, limit: number): Table | undefined {
  const points = cuts.map((cut, at) => representativeOf(cut, cuts[at + 1] ?? END)?.point);
  const numbers = new Map([[start, 0]]);
  const states = [start];
  const rows: number[][] = [];
  for (let at = 0; at < states.length; at++) {
    const row: number[] = [];
    for (const point of points) {
      // Surrogates do not occur; any row entry will do.
      const target = point === undefined ? states[at]! : next(states[at]!, point);
      let number = numbers.get(target);
      if (number === undefined) {
        number = states.push(target) - 1;
        numbers.set(target, number);
        if (number >= limit) return undefined;
      }
      row.push(number);
    }
    rows.push(row);
  }
  return { ...mergeColumns(rows, points), accepting: states.map(accepts) };
}

/** Merges intervals that lead from each state to the same one. */
function mergeColumns(rows: readonly (readonly number[])[], points: readonly (number | undefined)[]) {
  const numbers = new Map<string, number>();
  const columns: number[] = [];
  const classes = points.map((point, at) => {
    if (point === undefined) return 0;
    const key = rows.map(row => row[at]).join();
    let number = numbers.get(key);
    if (number === undefined) {
      number = columns.push(at) - 1;
      numbers.set(key, number);
    }
    return number;
  });
  return { classes, rows: rows.map(row => columns.map(at => row[at]!)) };
}

/** Merges equivalent states by refining the partition into accepting and rejecting ones. */
function minimize(cuts: Cuts, { classes, rows, accepting }: Table): Automaton {
  let blocks = accepting.map(Number);
  for (let count = 0; ; ) {
    const numbers = new Map<string, number>();
    const refined = rows.map((row, state) => {
      const key = `${blocks[state]}:${row.map(target => blocks[target]).join()}`;
      const known = numbers.get(key) ?? numbers.size;
      numbers.set(key, known);
      return known;
    });
    if (numbers.size === count) break;
    count = numbers.size;
    blocks = refined;
  }
  const first: number[] = [];
  blocks.forEach((block, state) => {
    first[block] ??= state;
  });
  const table = first.map(state => rows[state]!.map(target => blocks[target]!));
  const isAccepting = first.map(state => accepting[state]!);
  return automatonOf(cuts, classes, { table, isAccepting, start: blocks[0]! });
}

interface Minimal {
  readonly table: readonly (readonly number[])[];
  readonly isAccepting: readonly boolean[];
  readonly start: number;
}

function automatonOf(cuts: Cuts, classes: readonly number[], { table, isAccepting, start }: Minimal): Automaton {
  return {
    ...mergeIntervals(cuts, classes, table),
    start,
    size: table.length,
    accepts: state => isAccepting[state]!,
    toAccept: distances(table, isAccepting),
    toReject: distances(
      table,
      isAccepting.map(one => !one),
    ),
  };
}

/** Drops cuts between intervals of one class. */
function mergeIntervals(cuts: Cuts, classes: readonly number[], table: Minimal['table']) {
  const kept: number[] = [];
  const keptClasses: number[] = [];
  cuts.forEach((cut, at) => {
    if (at > 0 && classes[at] === keptClasses.at(-1)) return;
    kept.push(cut);
    keptClasses.push(classes[at]!);
  });
  const ascii = Array.from({ length: 128 }, (_, point) => keptClasses[intervalOf(kept, point)]!);
  const classOf = (point: number) => (point < 128 ? ascii[point]! : keptClasses[intervalOf(kept, point)]!);
  return { cuts: kept, next: (state: number, point: number) => table[state]![classOf(point)]! };
}

/** Returns the least number of steps from each state to one of the targets. */
function distances(table: readonly (readonly number[])[], isTarget: readonly boolean[]): readonly number[] {
  const sources: number[][] = table.map(() => []);
  table.forEach((row, state) => {
    for (const target of new Set(row)) sources[target]!.push(state);
  });
  const found = isTarget.map(one => (one ? 0 : Number.POSITIVE_INFINITY));
  const open = found.flatMap((distance, state) => (distance === 0 ? [state] : []));
  for (const state of open) {
    for (const source of sources[state]!) {
      if (found[source] !== Number.POSITIVE_INFINITY) continue;
      found[source] = found[state]! + 1;
      open.push(source);
    }
  }
  return found;
}

/** Returns what all accepted strings begin with. */
export function commonPrefixOf({ cuts, start, next, accepts, size, toAccept }: Automaton): string {
  let prefix = '';
  for (let state = start, length = 0; !accepts(state) && length < size; length++) {
    const live = cuts.filter(cut => toAccept[next(state, cut)] !== Number.POSITIVE_INFINITY);
    const [only] = live;
    if (live.length !== 1 || only === undefined || (cuts[cuts.indexOf(only) + 1] ?? END) !== only + 1) break;
    prefix += String.fromCodePoint(only);
    state = next(state, only);
  }
  return prefix;
}

/** Returns true if the automaton accepts the string. */
export function acceptsString({ start, next, accepts }: LazyAutomaton, text: string): boolean {
  let state = start;
  for (const character of text) state = next(state, character.codePointAt(0)!);
  return accepts(state);
}

/** Ascending code points, the first of them 0: all code points from one cut up to the next behave alike. */
export type Cuts = readonly number[];

/** One more than the last code point. */
export const END = 0x11_0000;

/** Strings are sequences of characters, and surrogates are none. */
export const SURROGATES: Cuts = [0xd800, 0xe000];

/** Returns the cuts of several automata together. */
export function mergeCuts(all: Iterable<Cuts>): Cuts {
  const merged = new Set<number>([0, ...SURROGATES]);
  for (const cuts of all) for (const cut of cuts) merged.add(cut);
  return [...merged].sort((a, b) => a - b);
}

/** Returns the cuts that separate each of these code points from all others. */
export function cutsAround(points: Iterable<number>): Cuts {
  const cuts = new Set<number>([0]);
  for (const point of points) {
    cuts.add(point);
    if (point + 1 < END) cuts.add(point + 1);
  }
  return [...cuts].sort((a, b) => a - b);
}

/** Returns the index of the last cut that is not greater than a code point. */
export function intervalOf(cuts: Cuts, point: number): number {
  let [low, high] = [0, cuts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (cuts[middle]! <= point) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Ranges of characters, the most readable first, with the cost of using one in a witness. */
const READABLE: readonly (readonly [first: number, last: number, weight: number])[] = [
  [0x61, 0x7a, 10],
  [0x30, 0x39, 11],
  [0x41, 0x5a, 12],
  [0x2d, 0x2f, 13],
  [0x5f, 0x5f, 13],
  [0x21, 0x7e, 18],
  [0x20, 0x20, 24],
  [0xa1, 0xd7ff, 40],
  [0xe000, END - 1, 60],
  [0x00, END - 1, 90],
];

/** The least weight of a character. */
export const LEAST_WEIGHT = 10;

/** A character and its cost. */
export interface Representative {
  readonly point: number;
  readonly weight: number;
}

/** Returns the most readable code point of a half-open interval; undefined for surrogates. */
export function representativeOf(first: number, end: number): Representative | undefined {
  if (first >= 0xd800 && first < 0xe000) return undefined;
  for (const [low, high, weight] of READABLE) {
    const point = Math.max(first, low);
    if (point < end && point <= high) return { point, weight };
  }
  return undefined;
}
