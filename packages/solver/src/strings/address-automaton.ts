import type { IntSet } from '../values/int-set.ts';
import type { LazyAutomaton } from './automaton.ts';
import { type Cuts, cutsAround } from './code-points.ts';

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
      if (octet < 0 || octets === 3) return DEAD;
      return numberOf({ octets: octets + 1, value: value * 256 + octet, octet: -1 });
    }
    const digit = point - 0x30;
    if (digit < 0 || digit > 9 || octet === 0) return DEAD;
    const next = octet < 0 ? digit : octet * 10 + digit;
    return next > 255 ? DEAD : numberOf({ octets, value, octet: next });
  };
  const start = numberOf({ octets: 0, value: 0, octet: -1 });
  return {
    cuts: ADDRESS_CUTS,
    start,
    next: (state: number, point: number): number => {
      if (state === DEAD || state === V6_TEXT) return state === V6_TEXT && isV6Character(point) ? V6_TEXT : DEAD;
      if (state === HEX) return point === COLON ? V6_TEXT : isHex(point) ? HEX : DEAD;
      const next = read(state, point);
      // What begins with digits may still be the first group of an IPv6 address.
      const isOpen = mayBeV6 && next === DEAD && readings[state - FIRST_READING]!.octets === 0;
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
  return isHex(point) ? HEX : DEAD;
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

const DEAD = 0;
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
