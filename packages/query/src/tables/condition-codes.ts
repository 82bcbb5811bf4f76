/**
 * Results of conditions as integers: bits, or the number of a key that is looked up. A path begins with all of the keys with which the longest one
 * begins, so that one lookup for each length decides any number of conditions; the same holds for ends, and for ranges of addresses.
 */
import type { ConditionColumns, LookupCondition, LookupKey, Stage } from '@tollgate/compile';
import type { StringSql } from '../questions/plain-forms.ts';

/** An integer that tells the results of some conditions. */
export interface ConditionCode {
  readonly sql: string;
  /** One more than the greatest value. */
  readonly size: number;
  /** Returns the places of the conditions that are true. */
  readonly trueIn: (value: number) => readonly number[];
  /** Returns an integer with only some of the bits, if it consists of bits. */
  readonly only?: (bits: readonly number[]) => string;
}

/** So many bits, and codes for other values, fit in an integer that JavaScript represents exactly. */
const BITS = 32;

/** How many conditions make lookups worth it. */
export interface LookupThresholds {
  /** So many keys of one length. */
  readonly keys: number;
  /** So many patterns. */
  readonly patterns: number;
}

/** With more characters, the states of a pattern may take too much memory. */
const MAX_PATTERN = 4000;

/** Integers that tell the results of conditions, at least one, and the columns that they need. */
interface ConditionCodes {
  readonly codes: readonly ConditionCode[];
  readonly columns: Stage;
}

interface Conditions extends Pick<ConditionColumns, 'results' | 'lookups'> {
  /** The columns that they may use. */
  readonly used: readonly string[];
}

/** Returns the results of conditions as integers. */
export function conditionCodes(
  { results, lookups, used }: Conditions,
  sql: StringSql,
  least: LookupThresholds,
): ConditionCodes {
  const conditions = lookups.flatMap((lookup, place) =>
    lookup === undefined || !sql.lookup ? [] : { ...lookup, place },
  );
  const codes: ConditionCode[] = [];
  const columns: (readonly [string, string])[] = [];
  const decided = new Set<number>();
  const decide = (places: readonly number[], code: readonly ConditionCode[]) => {
    for (const place of places) decided.add(place);
    codes.push(...code);
  };
  for (const group of Map.groupBy(conditions, ({ column, kind }) => `${kind} ${column}`).values())
    if (group[0]!.kind === 'pattern')
      for (const some of patternGroups(group, least.patterns)) {
        const guarded = guardedBits(some, columns.length, sql);
        columns.push(...guarded.columns);
        decide(
          some.map(({ place }) => place),
          guarded.codes,
        );
      }
    else {
      const own = lookedUp(group, least.keys);
      if (own.length > 0)
        decide(
          own.map(({ place }) => place),
          [lookupCode(own, sql)],
        );
    }
  const others = results.flatMap((_, place) => (decided.has(place) ? [] : place));
  const remaining = { places: others, results: others.map(place => results[place]!), used };
  const bits = bitCodes(remaining, sql);
  const all = [...bits, ...codes];
  return { columns, codes: all.length === 0 ? [{ sql: '0', size: 1, trueIn: () => [] }] : all };
}

/** A condition and its place among all. */
type PlacedLookup = LookupCondition & { readonly place: number };

/** Returns the conditions for whose keys lookups pay. */
function lookedUp(all: readonly PlacedLookup[], least: number): readonly PlacedLookup[] {
  const lengthOf = ({ length }: LookupKey) => (all[0]!.kind === 'equal' ? 0 : length);
  const frequent = Map.groupBy(new Set(all.flatMap(({ keys }) => keys)), lengthOf);
  return all.filter(({ keys }) => keys.every(key => frequent.get(lengthOf(key))!.length >= least));
}

function lookupCode(all: readonly PlacedLookup[], { lookup }: StringSql): ConditionCode {
  const [{ column, kind }] = all as [PlacedLookup];
  const distinct = new Map(all.flatMap(({ keys }) => keys).map(key => [`${key.length} ${key.value}`, key]));
  // The number of a longer key is greater.
  const keys = [...distinct.values()].sort((one, other) => one.length - other.length);
  const places = new Map<string, number[]>();
  for (const { keys: own, place } of all)
    for (const { length, value } of own)
      places.set(`${length} ${value}`, [...(places.get(`${length} ${value}`) ?? []), place]);
  const lengths = [...new Set(keys.map(({ length }) => length))];
  const trueOf = keys.map(key => [
    ...new Set(
      (kind === 'equal' ? [key.length] : lengths).flatMap(length =>
        length > key.length ? [] : (places.get(`${length} ${shortened(kind, key, length)}`) ?? []),
      ),
    ),
  ]);
  return {
    sql: lookup!(
      kind,
      column,
      keys.map((key, at) => ({ ...key, code: at + 1 })),
    ),
    size: keys.length + 1,
    trueIn: value => (value === 0 ? [] : trueOf[value - 1]!),
  };
}

/** Returns the key of a length that a value with this key has too. */
function shortened(kind: LookupCondition['kind'], { value }: LookupKey, length: number): string | number {
  if (typeof value === 'number') return value - (value % 2 ** (32 - length));
  return kind === 'end' ? value.slice(value.length - length) : value.slice(0, length);
}

/** Returns groups of conditions whose patterns are together short enough. */
function patternGroups(all: readonly PlacedLookup[], least: number): readonly (readonly PlacedLookup[])[] {
  const groups: PlacedLookup[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const one of all) {
    const own = one.keys.reduce((sum, key) => sum + key.length, 0);
    length += own;
    if (length > MAX_PATTERN) {
      groups.push([]);
      length = own;
    }
    groups.at(-1)!.push(one);
  }
  return groups.filter(group => group.length >= least);
}

/** Bits of patterns, tested on the strings of which some pattern matches: usually few are different. */
function guardedBits(all: readonly PlacedLookup[], number: number, sql: StringSql): ConditionCodes {
  const [{ column }] = all as [PlacedLookup];
  const patterns = all.flatMap(({ keys }) => keys.map(({ value }) => `(?:${value})`));
  const isMatched = sql.matches(column, `(?-s)${patterns.join('|')}`);
  const [guard, some] = [`${column}_g${number}`, `${column}_s${number}`];
  const results = all.map(({ keys }) => keys.map(({ value }) => sql.matches(some, `(?-s)${value}`)).join(' or '));
  const bits = bitCodes({ places: all.map(({ place }) => place), results, used: [] }, sql);
  const guarded = (integer: string) => sql.where!(guard, integer, some);
  return {
    columns: [
      [guard, sql.bit(isMatched)],
      [some, sql.few!(`case when ${isMatched} then ${column} else '' end`)],
    ],
    codes: bits.map(({ sql: all, only, ...code }) => ({
      ...{ ...code, sql: guarded(all) },
      only: some => guarded(only!(some)),
    })),
  };
}

interface PlacedResults extends Pick<Conditions, 'results' | 'used'> {
  readonly places: readonly number[];
}

function bitCodes({ places, results, used }: PlacedResults, sql: StringSql): readonly ConditionCode[] {
  return Array.from({ length: Math.ceil(places.length / BITS) }, (_, word) => {
    const [own, conditions] = [places, results].map(all => all.slice(word * BITS, (word + 1) * BITS)) as [
      number[],
      string[],
    ];
    const only = (bits: readonly number[]) => {
      const some = bits.map(bit => conditions[bit]!);
      const columns = used.filter(column => some.some(condition => condition.includes(column)));
      return sql.integerOf?.(some, columns) ?? some.map((one, at) => `${sql.bit(one)} * ${2 ** at}`).join(' + ');
    };
    return {
      ...{ sql: only([...own.keys()]), size: 2 ** own.length, only },
      trueIn: value => own.filter((_, bit) => Math.floor(value / 2 ** bit) % 2 === 1),
    };
  });
}
