import { parseIp } from '@tollgate/cel/tooling';
import { addressKey } from './address-ranges.ts';
import { contains, type RangeSet } from './range-set.ts';
import { FALSE, INVALID, TRUE, type ValueSet } from './value-set.ts';
import type { View } from './vocabulary.ts';

/** A view of a string variable, with its possible values. */
export interface KnownView {
  readonly view: View;
  readonly values: ValueSet;
}

/** Returns false if certainly no string fits all views. */
export function mayExist(known: readonly KnownView[]): boolean {
  const order = known.find(({ view }) => view.kind === 'text')?.values.ranges;
  const listed = order && pointsOf(order);
  if (listed !== undefined) return listed.some(text => known.every(one => mayBe(text, one)));
  const parts = partsOf(known, order);
  return !known.some(one => contradicts(one, parts));
}

/** Returns the strings of a finite set; undefined for other sets. */
function pointsOf({ startsInside, cuts }: RangeSet): readonly string[] | undefined {
  if (startsInside || cuts.length % 2 !== 0) return undefined;
  const points: string[] = [];
  for (let i = 0; i < cuts.length; i += 2) {
    const text = String(cuts[i]!.at);
    if (cuts[i + 1]!.at !== afterString(text)) return undefined;
    points.push(text);
  }
  return points;
}

/** Returns the next string in code point order. */
export function afterString(text: string): string {
  return `${text}\0`;
}

/** Returns false if a string certainly does not fit a view. */
export function mayBe(text: string, known: KnownView): boolean {
  return isCertainly(text, known) ?? true;
}

/** Returns whether a string fits a view; undefined if unknown. */
export function isCertainly(text: string, { view, values }: KnownView): boolean | undefined {
  switch (view.kind) {
    case 'text':
      return contains(values.ranges, text);
    case 'count':
      return contains(values.ranges, [...text].length);
    case 'as-int':
      // Other strings may also be numbers; these certainly are.
      return /^-?(?:0|[1-9]\d{0,17})$/.test(text) ? contains(values.ranges, BigInt(text)) : undefined;
    case 'as-double':
      return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(text) ? contains(values.ranges, Number(text)) : undefined;
    case 'as-address': {
      const address = parseIp(text);
      return address === undefined
        ? (values.flags & INVALID) !== 0
        : contains(values.ranges, addressKey(address.bytes));
    }
    case 'prefix':
    case 'suffix':
    case 'part':
    case 'pattern':
      return (values.flags & (view.test(text) ? TRUE : FALSE)) !== 0;
    default:
      return undefined;
  }
}

/** Known prefix, suffixes and substrings. */
interface KnownParts {
  readonly prefix: string;
  readonly suffixes: readonly string[];
  readonly all: readonly string[];
}

function partsOf(known: readonly KnownView[], order: RangeSet | undefined): KnownParts {
  const required = (kind: View['kind']) =>
    known.flatMap(({ view, values }) =>
      view.kind === kind && 'text' in view && values.flags === TRUE ? [view.text] : [],
    );
  const prefix = order === undefined ? '' : commonPrefix(order);
  const suffixes = required('suffix');
  return { prefix, suffixes, all: [prefix, ...required('prefix'), ...suffixes, ...required('part')] };
}

function contradicts({ view, values }: KnownView, { suffixes, all }: KnownParts): boolean {
  if (!('text' in view)) return false;
  if (view.kind === 'suffix' && values.flags === TRUE) {
    return suffixes.some(other => !other.endsWith(view.text) && !view.text.endsWith(other));
  }
  if (values.flags !== FALSE) return false;
  if (view.kind === 'part') return all.some(part => part.includes(view.text));
  return view.kind === 'suffix' && suffixes.some(suffix => suffix.endsWith(view.text));
}

/** Returns the common prefix of all strings in a set. */
export function commonPrefix({ startsInside, cuts }: RangeSet): string {
  const [first, last] = [cuts[0], cuts.at(-1)];
  if (startsInside || first === undefined || cuts.length % 2 !== 0) return '';
  const [low, high] = [String(first.at), String(last!.at)];
  let length = 0;
  while (length < low.length && low[length] === high[length]) length++;
  // Strings from `/a` up to `/b` start with `/a`.
  const [a, b] = [low.charCodeAt(length), high.charCodeAt(length)];
  const isNext = length === high.length - 1 && a + 1 === b && a !== LAST_BEFORE_SURROGATES;
  return low.slice(0, isNext ? length + 1 : length);
}

/** The successor in code point order is not the next UTF-16 unit. */
export const LAST_BEFORE_SURROGATES = 0xd7ff;
