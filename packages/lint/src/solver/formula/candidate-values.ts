import { addressText } from '../values/address-ranges.ts';
import { type Cut, contains, type Key, type RangeSet } from '../values/range-set.ts';
import { isCertainly } from '../values/string-values.ts';
import { ERROR, FALSE, INVALID, TRUE } from '../values/value-set.ts';
import type { Term } from '../values/vocabulary.ts';
import type { Claim } from './formula.ts';

/** A value of a term: a boolean, a string, a number (also a size or the key of an address), or a failure. */
export type CandidateValue = boolean | string | number | bigint | typeof FAILURE;

const FAILURE: unique symbol = Symbol('failure');

/** Returns whether a claim holds for a value of its term; undefined if unknown. */
export function holdsOf(value: CandidateValue, { variable: { view }, values }: Claim): boolean | undefined {
  if (value === FAILURE) return (values.flags & ERROR) !== 0;
  if (typeof value === 'string') return isCertainly(value, { view, values });
  if (typeof value === 'boolean') {
    return view.kind === 'truth' ? (values.flags & (value ? TRUE : FALSE)) !== 0 : undefined;
  }
  return NUMBERS.has(view.kind) ? contains(values.ranges, value) : undefined;
}

const NUMBERS: ReadonlySet<Claim['variable']['view']['kind']> = new Set([
  ...(['int', 'uint', 'double', 'count', 'as-address'] as const),
]);

/** Returns values that are likely to satisfy a claim, the least specific first; strings extend the previous value. */
export function valuesToTry(
  { variable: { term, view }, values }: Claim,
  before?: CandidateValue,
): readonly CandidateValue[] {
  const failure: readonly CandidateValue[] = (values.flags & ERROR) === 0 ? [] : [FAILURE];
  const known = typeof before === 'string' ? before : OTHER_STRING;
  switch (view.kind) {
    case 'truth':
      return [...((values.flags & TRUE) === 0 ? [false] : [true, false]), ...failure];
    case 'text':
      return [OTHER_STRING, ...startsOf(values.ranges).flatMap(at => stringsFrom(String(at), known)), ...failure];
    case 'prefix':
      return (values.flags & TRUE) === 0 ? [OTHER_STRING, ...failure] : [view.text + known];
    case 'suffix':
      return (values.flags & TRUE) === 0 ? [OTHER_STRING, ...failure] : [known + view.text];
    case 'part':
      return (values.flags & TRUE) === 0 ? [OTHER_STRING, ...failure] : [known + view.text + OTHER_STRING];
    case 'pattern':
      return [OTHER_STRING, ...failure];
    case 'as-address':
      return [
        ...((values.flags & INVALID) === 0 ? [] : [OTHER_STRING]),
        ...startsOf(values.ranges),
        ...addressesIn(values.ranges),
        ...failure,
      ];
    case 'as-int':
    case 'as-double':
      return [...numbersIn(values.ranges).map(String), ...failure];
    case 'count':
      return [...numbersIn(values.ranges).flatMap(size => sized(term, Number(size))), ...failure];
    default:
      return [...numbersIn(values.ranges), ...failure];
  }
}

/** Stand for all strings and numbers that no condition mentions. */
const OTHER_STRING = '~';
const OTHER_NUMBER = 7919;

function stringsFrom(start: string, known: string): readonly string[] {
  return known === OTHER_STRING ? [start + OTHER_STRING, start] : [start + known, start + OTHER_STRING, start];
}

function numbersIn(ranges: RangeSet): readonly (number | bigint)[] {
  const starts = startsOf(ranges).flatMap(at => (typeof at === 'string' ? [] : [at, next(at)]));
  const [end] = ranges.startsInside ? ranges.cuts : [];
  return [OTHER_NUMBER, ...starts, ...(end === undefined ? [] : [before(end)])];
}

function next(at: number | bigint): number | bigint {
  return typeof at === 'bigint' ? at + 1n : at + 1;
}

function before({ at }: Cut): number | bigint {
  return typeof at === 'bigint' ? at - 1n : Number(at) - 1;
}

/** Parts of a set that are tried. */
const MAX_PARTS = 4;

/** Returns the lower bounds of the parts of a set. */
function startsOf({ startsInside, cuts }: RangeSet): readonly Key[] {
  const starts: Key[] = [];
  for (let at = startsInside ? 1 : 0; at < cuts.length && starts.length < MAX_PARTS; at += 2) starts.push(cuts[at]!.at);
  return starts;
}

function addressesIn(ranges: RangeSet): readonly string[] {
  return startsOf(ranges).map(key => addressText(BigInt(key)));
}

/** The longest string that is generated. */
const MAX_SIZE = 256;

function sized({ variables }: Term, size: number): readonly (string | number)[] {
  if (!variables.some(({ view }) => view.kind === 'text' || 'text' in view)) return [size];
  return size > MAX_SIZE ? [] : [OTHER_STRING.repeat(size)];
}
