import { type IntSet, includes } from '../values/int-set.ts';
import type { LazyAutomaton } from './automaton.ts';
import { cutsAround } from './code-points.ts';

const [START, DEAD, EITHER, PLUS, MINUS, FIRST_VALUE] = [0, 1, 2, 3, 4, 5];

/** Bounds of sets are small, or so large that no string reaches them before it has too many digits to be counted. */
const MAX_BOUND = 900n;
const UNBOUNDED = 2n ** 62n;
/** Numbers of at most this many digits fit into 64 bits. */
const MAX_DIGITS = 18;

/**
 * Accepts the strings that parse as an integer of the set: an optional sign and digits. Returns undefined if its bounds would need too many
 * states. Strings with very many digits, which parse or overflow, count as inside and outside.
 */
export function integerAutomaton(set: IntSet, isComplement: boolean): LazyAutomaton | undefined {
  const bounds = set.flat().map(bound => (bound < 0n ? -bound : bound));
  if (bounds.some(bound => bound > MAX_BOUND && bound < UNBOUNDED)) return undefined;
  const most = Number(bounds.reduce((largest, one) => (one <= MAX_BOUND && one > largest ? one : largest), 0n)) + 1;
  // After `most`, only the number of digits counts.
  const width = most + MAX_DIGITS + 1;
  const valueAfter = (value: number, digit: number): number | undefined => {
    if (value < most)
      return Math.min(value * 10 + digit, most) === most ? most + digitsOf(value * 10 + digit) : value * 10 + digit;
    return value - most < MAX_DIGITS ? value + 1 : undefined;
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
