// Automata of the strings of integers, of doubles and of addresses in a set.

import { type Cuts, cutsAround, type LazyAutomaton } from './automaton.ts';
import { doubleAt, type IntSet, includes, NAN, positionOf } from './int-set.ts';

const [START, DEAD, EITHER, PLUS, MINUS, FIRST_VALUE] = [0, 1, 2, 3, 4, 5];

/** Bounds of sets are small, or so large that no string reaches them before it has too many digits to be counted. */
const MAX_BOUND = 900n;
const UNBOUNDED = 2n ** 62n;
/** Numbers of at most this many digits fit into 64 bits. */
const MAX_LONG_DIGITS = 18;

/**
 * Accepts the strings that parse as an integer of the set: an optional sign and digits. Returns undefined if its bounds would need too many
 * states. Strings with very many digits, which parse or overflow, count as inside and outside.
 */
export function integerAutomaton(set: IntSet, isComplement: boolean): LazyAutomaton | undefined {
  const bounds = set.flat().map(bound => (bound < 0n ? -bound : bound));
  if (bounds.some(bound => bound > MAX_BOUND && bound < UNBOUNDED)) return undefined;
  const most = Number(bounds.reduce((largest, one) => (one <= MAX_BOUND && one > largest ? one : largest), 0n)) + 1;
  // After `most`, only the number of digits counts.
  const width = most + MAX_LONG_DIGITS + 1;
  const valueAfter = (value: number, digit: number): number | undefined => {
    if (value < most)
      return Math.min(value * 10 + digit, most) === most ? most + digitsOf(value * 10 + digit) : value * 10 + digit;
    return value - most < MAX_LONG_DIGITS ? value + 1 : undefined;
  };
  const stateOf = (isNegative: boolean, value: number | undefined) =>
    value === undefined ? EITHER : FIRST_VALUE + (isNegative ? width : 0) + value;
  return {
    cuts: cutsAround(Array.from('0123456789+-', one => one.codePointAt(0)!)),
    start: START,
    next: (state, point) => {
      const digit = point - 0x30;
      const isDigit = digit >= 0 && digit <= 9;
      if (state === START && (point === 0x2b || point === 0x2d)) return point === 0x2b ? PLUS : MINUS;
      if (state === DEAD || !isDigit) return DEAD;
      if (state === EITHER) return EITHER;
      if (state < FIRST_VALUE) return stateOf(state === MINUS, valueAfter(0, digit));
      const value = state - FIRST_VALUE;
      return stateOf(value >= width, valueAfter(value % width, digit));
    },
    accepts: state => {
      if (state < FIRST_VALUE) return state === EITHER && !isComplement;
      const value = state - FIRST_VALUE;
      const magnitude = BigInt(Math.min(value % width, most));
      return includes(set, value >= width ? -magnitude : magnitude);
    },
  };
}

function digitsOf(value: number): number {
  return String(value).length;
}

/** A number in decimal notation, without zeros at the ends: `0.5` has no integer digits. */
interface Bound {
  readonly magnitude: number;
  readonly whole: string;
  readonly fraction: string;
}

/** How the digits so far compare with those of a bound: less, equal, greater. */
type Order = -1 | 0 | 1;

/** What was read of a string; `either` stands for all strings of which the automaton does not tell what they are. */
type State =
  | { readonly kind: 'start' | 'point' | 'dead' | 'either'; readonly isNegative: boolean }
  | {
      readonly kind: 'digits';
      readonly isNegative: boolean;
      /** Significant digits before the point, and all digits behind it. */
      readonly whole: number;
      readonly fraction: number;
      readonly hasPoint: boolean;
      readonly significant: number;
      readonly orders: readonly Order[];
    };

/** Numbers with at most this many digits compare as their doubles do. */
const MAX_EXACT_DIGITS = 15;

/**
 * Accepts the strings that parse as a double whose position is in the set. Returns undefined if a bound of the set has too many digits.
 * Strings with an exponent or many digits, and names such as `inf`, count as inside and outside.
 */
export function doubleAutomaton(set: IntSet, isComplement: boolean): LazyAutomaton | undefined {
  const bounds = boundsOf(set);
  if (bounds === undefined) return undefined;
  const states: State[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (state: State): number => {
    const key = JSON.stringify(state);
    let number = numbers.get(key);
    if (number === undefined) {
      number = states.push(state) - 1;
      numbers.set(key, number);
    }
    return number;
  };
  return {
    cuts: cutsAround(Array.from('0123456789+-.eEiInN', one => one.codePointAt(0)!)),
    start: numberOf({ kind: 'start', isNegative: false }),
    next: (state, point) => numberOf(nextOf(states[state]!, point, bounds, state === 0)),
    accepts: number => {
      const state = states[number]!;
      if (state.kind === 'digits') return includes(set, positionIn(state, bounds));
      return state.kind === 'either' && !isComplement;
    },
  };
}

/** Returns the numbers at which membership changes, ascending; undefined if one has too many digits. */
function boundsOf(set: IntSet): readonly Bound[] | undefined {
  const ends = set.flat().filter(end => end !== NAN && Number.isFinite(doubleAt(end)));
  const magnitudes = new Set([0]);
  for (const end of ends) {
    const near = [end - 1n, end, end + 1n].map(doubleAt).filter(Number.isFinite);
    const [shortest] = near.toSorted((a, b) => `${Math.abs(a)}`.length - `${Math.abs(b)}`.length);
    magnitudes.add(Math.abs(shortest!));
  }
  const bounds = [...magnitudes].sort((a, b) => a - b).map(boundAt);
  return bounds.every(bound => bound !== undefined) ? bounds : undefined;
}

function boundAt(magnitude: number): Bound | undefined {
  const text = String(magnitude);
  if (text.includes('e') || text.length > MAX_EXACT_DIGITS) return undefined;
  const [whole = '', fraction = ''] = text.split('.');
  return { magnitude, whole: whole === '0' ? '' : whole, fraction };
}

function nextOf(state: State, point: number, bounds: readonly Bound[], isFirst: boolean): State {
  const { isNegative } = state;
  const dead = { kind: 'dead', isNegative: false } as const;
  const either = { kind: 'either', isNegative: false } as const;
  if (state.kind === 'dead' || state.kind === 'either') return state;
  const character = String.fromCodePoint(point);
  const digit = '0123456789'.indexOf(character);
  if (state.kind === 'digits') {
    if (digit >= 0) return afterDigit(state, digit, bounds);
    if (character === '.' && !state.hasPoint) return { ...state, hasPoint: true, orders: wholeOrders(state, bounds) };
    return 'eE'.includes(character) ? either : dead;
  }
  if (digit >= 0) {
    const orders = bounds.map(() => 0 as const);
    const none = {
      kind: 'digits',
      isNegative,
      whole: 0,
      fraction: 0,
      hasPoint: false,
      significant: 0,
      orders,
    } as const;
    if (state.kind === 'start') return afterDigit(none, digit, bounds);
    return afterDigit({ ...none, hasPoint: true, orders: wholeOrders(none, bounds) }, digit, bounds);
  }
  if (state.kind === 'point') return dead;
  if (character === '.') return { kind: 'point', isNegative };
  if (isFirst && '+-'.includes(character)) return { kind: 'start', isNegative: character === '-' };
  return 'iInN'.includes(character) ? either : dead;
}

type Digits = Extract<State, { kind: 'digits' }>;

function afterDigit(state: Digits, digit: number, bounds: readonly Bound[]): State {
  const significant = state.significant + (state.significant > 0 || digit > 0 ? 1 : 0);
  if (significant > MAX_EXACT_DIGITS) return { kind: 'either', isNegative: false };
  if (!state.hasPoint) {
    if (significant === 0) return state;
    const orders = bounds.map(({ whole }, at) => orderAfter(state.orders[at]!, digit, whole[state.whole]));
    return { ...state, whole: state.whole + 1, significant, orders };
  }
  const orders = bounds.map(({ fraction }, at) =>
    orderAfter(state.orders[at]!, digit, fraction[state.fraction] ?? '0'),
  );
  const most = Math.max(...bounds.map(({ fraction }) => fraction.length));
  return { ...state, fraction: Math.min(state.fraction + 1, most), significant, orders };
}

/** More digits before the point than the bound has make a number greater. */
function orderAfter(order: Order, digit: number, expected: string | undefined): Order {
  if (expected === undefined) return 1;
  if (order !== 0 || digit === Number(expected)) return order;
  return digit < Number(expected) ? -1 : 1;
}

/** Returns how the integer digits compare, now that there are no more. */
function wholeOrders({ whole, orders }: Digits, bounds: readonly Bound[]): readonly Order[] {
  return orders.map((order, at) => (whole < bounds[at]!.whole.length ? -1 : order));
}

/** Returns the position of a double that compares with all bounds as the number does. */
function positionIn(state: Digits, bounds: readonly Bound[]): bigint {
  const orders = state.hasPoint ? state.orders : wholeOrders(state, bounds);
  const final = orders.map((order, at) => (order === 0 && state.fraction < bounds[at]!.fraction.length ? -1 : order));
  const equal = final.indexOf(0);
  const below = bounds[equal >= 0 ? equal : final.lastIndexOf(1)]!;
  const position = positionOf(below.magnitude) + (equal >= 0 ? 0n : 1n);
  return state.isNegative ? -position : position;
}

/** The states of reading an IPv4 address: which range of addresses is still possible, and the digits of the current number. */
interface AddressState {
  readonly octets: number;
  readonly value: number;
  /** -1 before the first digit. */
  readonly octet: number;
}

/** An automaton that accepts the strings of these IPv4 addresses, and, if asked to, everything that may be an IPv6 address. */
export function addressAutomaton(set: IntSet, mayBeV6: boolean): LazyAutomaton {
  const readings: AddressState[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (reading: AddressState): number => {
    const key = `${reading.octets}:${relevant(set, reading)}:${reading.octet}`;
    let number = numbers.get(key);
    if (number === undefined) {
      number = readings.push(reading) + FIRST_READING - 1;
      numbers.set(key, number);
    }
    return number;
  };
  const read = (state: number, point: number): number => {
    const { octets, value, octet } = readings[state - FIRST_READING]!;
    if (point === POINT) {
      if (octet < 0 || octets === 3) return REJECTED;
      return numberOf({ octets: octets + 1, value: value * 256 + octet, octet: -1 });
    }
    const digit = point - 0x30;
    if (digit < 0 || digit > 9 || octet === 0) return REJECTED;
    const next = octet < 0 ? digit : octet * 10 + digit;
    return next > 255 ? REJECTED : numberOf({ octets, value, octet: next });
  };
  const start = numberOf({ octets: 0, value: 0, octet: -1 });
  return {
    cuts: ADDRESS_CUTS,
    start,
    next: (state: number, point: number): number => {
      if (state === REJECTED || state === V6_TEXT)
        return state === V6_TEXT && isV6Character(point) ? V6_TEXT : REJECTED;
      if (state === HEX) return point === COLON ? V6_TEXT : isHex(point) ? HEX : REJECTED;
      const next = read(state, point);
      // What begins with digits may still be the first group of an IPv6 address.
      const isOpen = mayBeV6 && next === REJECTED && readings[state - FIRST_READING]!.octets === 0;
      return isOpen ? afterDigits(point) : next;
    },
    accepts: (state: number): boolean => {
      if (state < FIRST_READING) return state === V6_TEXT;
      const { octets, value, octet } = readings[state - FIRST_READING]!;
      return octets === 3 && octet >= 0 && set.some(([low, high]) => isWithin(BigInt(value * 256 + octet), low, high));
    },
  };
}

function afterDigits(point: number): number {
  if (point === COLON) return V6_TEXT;
  return isHex(point) ? HEX : REJECTED;
}

function isWithin(value: bigint, low: bigint, high: bigint): boolean {
  return low <= value && value <= high;
}

/** Returns what matters of the octets read so far: nothing, if all addresses that begin with them are treated alike. */
function relevant(set: IntSet, { octets, value }: AddressState): string {
  const size = 2n ** BigInt(32 - 8 * octets);
  const first = BigInt(value) * size;
  const parts = set.flatMap(([low, high]) => {
    const from = low > first ? low - first : 0n;
    const to = high < first + size - 1n ? high - first : size - 1n;
    return from <= to ? [`${from}-${to}`] : [];
  });
  return parts.join();
}

const REJECTED = 0;
const HEX = 1;
const V6_TEXT = 2;
const FIRST_READING = 3;
const POINT = 0x2e;
const COLON = 0x3a;

function isHex(point: number): boolean {
  return (point >= 0x30 && point <= 0x39) || ((point | 0x20) >= 0x61 && (point | 0x20) <= 0x66);
}

function isV6Character(point: number): boolean {
  return isHex(point) || point === COLON || point === POINT;
}

const ADDRESS_CUTS: Cuts = cutsAround(Array.from('0123456789abcdefABCDEF.:', one => one.codePointAt(0)!));
