import { doubleAt, NAN, positionOf } from '../values/doubles.ts';
import { type IntSet, includes } from '../values/int-set.ts';
import type { LazyAutomaton } from './automaton.ts';
import { cutsAround } from './code-points.ts';

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
const MAX_DIGITS = 15;

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
    next: (state, point) => numberOf(nextOf(states[state]!, point, { bounds, isFirst: state === 0 })),
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
  if (text.includes('e') || text.length > MAX_DIGITS) return undefined;
  const [whole = '', fraction = ''] = text.split('.');
  return { magnitude, whole: whole === '0' ? '' : whole, fraction };
}

interface Step {
  readonly bounds: readonly Bound[];
  readonly isFirst: boolean;
}

function nextOf(state: State, point: number, { bounds, isFirst }: Step): State {
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
  if (significant > MAX_DIGITS) return { kind: 'either', isNegative: false };
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
