import { addressText } from '../values/address-ranges.ts';
import { isNothing, type Key, NOTHING, type RangeSet } from '../values/range-set.ts';
import { commonPrefix, type KnownView, mayBe } from '../values/string-values.ts';
import { ERROR, TRUE, withoutError } from '../values/value-set.ts';
import type { Access, Term } from '../values/vocabulary.ts';
import type { Model } from './solve.ts';

/** A value of an input; undefined if it shall be absent. */
export interface WitnessValue {
  readonly access: Access;
  readonly value: string | number | bigint | boolean | undefined;
}

/**
 * Returns values of inputs that fit a model, presence of keys first; undefined if a term is computed or no value was found. `usual`
 * returns strings to try first. Callers must confirm that the values satisfy the conditions.
 */
export function valuesIn(
  model: Model,
  usual: (access: Access) => readonly string[] = () => [],
): readonly WitnessValue[] | undefined {
  const views = Map.groupBy(model, ([variable]) => variable.term);
  const placed: WitnessValue[] = [];
  for (const [term, known] of views) {
    if (known.every(([, { flags }]) => (flags & ERROR) !== 0)) continue;
    const one = witnessValueOf(
      term,
      known.map(([{ view }, values]) => ({ view, values: withoutError(values) })),
      usual,
    );
    if (one === undefined) return undefined;
    placed.push(one);
  }
  return placed.toSorted((a, b) => Number(b.access.isKey) - Number(a.access.isKey));
}

function witnessValueOf(
  { access }: Term,
  known: readonly KnownView[],
  usual: (access: Access) => readonly string[],
): WitnessValue | undefined {
  if (access === undefined) return undefined;
  const [first] = known;
  if (first!.view.kind === 'truth') {
    const value = (first!.values.flags & TRUE) !== 0;
    return { access, value: value || !access.isKey ? value : undefined };
  }
  if (first!.view.kind === 'int' || first!.view.kind === 'double' || first!.view.kind === 'uint') {
    const number = someNumber(first!.values.ranges);
    return number === undefined ? undefined : { access, value: number };
  }
  const value = [...usual(access), ...stringsFor(known)].find(text => known.every(one => mayBe(text, one)));
  return value === undefined ? undefined : { access, value };
}

/** Returns a number of the set, at its first lower bound or before its first upper bound. */
function someNumber({ startsInside, cuts }: RangeSet): number | bigint | undefined {
  const cut = cuts[startsInside ? 0 : cuts.length > 2 ? 2 : 0];
  if (cut === undefined || typeof cut.at === 'string') return startsInside ? 0 : undefined;
  if (!cut.above) return Number.isFinite(Number(cut.at)) ? cut.at : 0;
  return Number(cut.at) + 1;
}

/** Returns strings worth trying. */
function stringsFor(known: readonly KnownView[]): readonly string[] {
  const rangesOf = (kind: KnownView['view']['kind']) =>
    known.find(({ view }) => view.kind === kind)?.values.ranges ?? NOTHING;
  const order = rangesOf('text');
  const bounds = order.cuts.map(cut => String(cut.at)).flatMap(text => [text, `${text}a`]);
  const parts = known.flatMap(({ view, values }) => ('text' in view && values.flags === TRUE ? [view] : []));
  const joined = (kind: string) => parts.flatMap(view => (view.kind === kind ? [view.text] : [])).join('');
  const begun = commonPrefix(order);
  const built = `${begun === '' ? joined('prefix') : begun}${joined('part')}${joined('suffix')}`;
  const addresses = keysOf(rangesOf('as-address')).map(key => addressText(BigInt(key)));
  const numbers = [...keysOf(rangesOf('as-int')), ...keysOf(rangesOf('as-double'))].map(String);
  return [built, `${built}a`, `/${built}`, ...bounds, ...addresses, ...numbers, 'a', '', '1'];
}

function keysOf(ranges: RangeSet): readonly (number | bigint)[] {
  const isNumber = (key: Key): key is number | bigint => typeof key !== 'string';
  return isNothing(ranges) ? [] : ranges.cuts.map(cut => cut.at).filter(isNumber);
}
