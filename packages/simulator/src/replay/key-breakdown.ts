/** Clients, hosts and paths of exchanges as keys, and how often each of them met which outcome. */
import type { Exchange, RecordLocation } from '@tollgate/traffic';
import { splitUrl } from '../exchange-state/url.ts';
import { excessOf, FrequentKeys, type FrequentKeysData, KeyIds, shortKey, topKeys } from './frequent-keys.ts';
import type { KeyDimension, KeySummary } from './summary.ts';

/** The number of keys that are kept: about 20 MB of clients and paths. */
const MAX_KEYS = 200_000;
/** The number of counts that there is room for: 32 MB. */
const MAX_CELLS = 4_000_000;
/** The least number of keys that each rule keeps when some are dropped. */
const LEAST_KEPT = 16;

/** How each dimension is read from an exchange. */
const KEYS: Readonly<Record<KeyDimension, (exchange: Exchange) => string | undefined>> = {
  clients: exchange => exchange.clientIp,
  paths: pathOf,
  countries: countryOf,
};

const DIMENSIONS = Object.keys(KEYS) as readonly KeyDimension[];

/** Counts clients, paths and countries by matching rule, and by outcome, which are numbered after the rules. */
export class KeyBreakdown {
  readonly #tables: readonly KeyTable[];
  readonly #maxKeys: number;

  constructor(ruleCount: number, maxKeys = MAX_KEYS) {
    this.#tables = DIMENSIONS.map(() => new KeyTable(ruleCount));
    this.#maxKeys = maxKeys;
  }

  /** @param rules those that matched the exchange */
  add(counted: Counted, rules: readonly number[]): void {
    let hasGrown = false;
    for (let dimension = 0; dimension < DIMENSIONS.length; dimension++) {
      const key = counted.keyOf(DIMENSIONS[dimension]!);
      const table = this.#tables[dimension]!;
      if (key === undefined) table.addUnknown(rules);
      else if (table.add(key, rules)) hasGrown = true;
    }
    if (hasGrown) this.#foldIfFull();
  }

  /** Makes room for more rules. */
  grow(ruleCount: number): void {
    for (const table of this.#tables) table.grow(ruleCount);
  }

  /** One entry per rule. */
  summaries(top: number): { readonly [dimension in KeyDimension]: KeySummary }[] {
    const [clients, paths, countries] = this.#tables.map(table => table.summaries(top));
    return clients!.map((one, rule) => ({ clients: one, paths: paths![rule]!, countries: countries![rule]! }));
  }

  #foldIfFull(): void {
    let [keys, cells] = [0, 0];
    for (const table of this.#tables) {
      keys += table.size;
      cells += table.cells;
    }
    if (keys <= this.#maxKeys && cells <= MAX_CELLS) return;
    const active = Math.max(...this.#tables.map(table => table.active));
    const capacity = Math.max(LEAST_KEPT, Math.floor(this.#maxKeys / (active * DIMENSIONS.length)));
    for (const table of this.#tables) table.fold(capacity);
  }
}

const NO_COUNTS = new Float64Array(0);
const FIRST_CAPACITY = 256;

/** Counts the keys of one dimension for each rule. */
export class KeyTable {
  readonly #ids = new KeyIds();
  /** By rule, then by the id of the key; as long as the rule needs. */
  readonly #counts: Float64Array[];
  readonly #earlier: (FrequentKeys | undefined)[];
  readonly #unknown: number[];
  #cells = 0;

  constructor(ruleCount: number) {
    this.#counts = Array.from({ length: ruleCount }, () => NO_COUNTS);
    this.#earlier = Array.from({ length: ruleCount }, () => undefined);
    this.#unknown = Array.from({ length: ruleCount }, () => 0);
  }

  /** Makes room for more rules. */
  grow(ruleCount: number): void {
    while (this.#unknown.length < ruleCount) {
      this.#counts.push(NO_COUNTS);
      this.#unknown.push(0);
      this.#earlier.push(undefined);
    }
  }

  /** The number of keys. */
  get size(): number {
    return this.#ids.size;
  }

  /** The number of counts that there is room for. */
  get cells(): number {
    return this.#cells;
  }

  /** The number of rules with keys. */
  get active(): number {
    return this.#counts.filter(({ length }, rule) => length > 0 || this.#earlier[rule] !== undefined).length;
  }

  /** Counts a key for these rules; returns true if that takes more memory. */
  add(key: string, rules: readonly number[]): boolean {
    const [size, cells] = [this.#ids.size, this.#cells];
    const id = this.#ids.idOf(shortKey(key));
    for (let at = 0; at < rules.length; at++) {
      const rule = rules[at]!;
      let counts = this.#counts[rule]!;
      if (id >= counts.length) counts = this.#enlarge(rule, id);
      counts[id]!++;
    }
    return id === size || this.#cells !== cells;
  }

  #enlarge(rule: number, id: number): Float64Array {
    const before = this.#counts[rule]!;
    const counts = new Float64Array(Math.max(FIRST_CAPACITY, 2 ** Math.ceil(Math.log2(id + 1))));
    counts.set(before);
    this.#cells += counts.length - before.length;
    this.#counts[rule] = counts;
    return counts;
  }

  addUnknown(rules: readonly number[]): void {
    for (const rule of rules) this.#unknown[rule]!++;
  }

  /** Keeps `capacity` keys of each rule; keys that would be dropped are never stored. */
  fold(capacity: number): void {
    const texts = this.#texts();
    const textOf = (id: number) => texts[id]!;
    for (const [rule, counts] of this.#counts.entries()) {
      const excess = excessOf(
        counts.filter(count => count > 0),
        capacity,
      );
      this.#mergeEarlier(rule, { counts, textOf }, excess);
      this.#earlier[rule]?.keep(capacity);
      this.#counts[rule] = NO_COUNTS;
    }
    this.#ids.clear();
    this.#cells = 0;
  }

  #mergeEarlier(rule: number, counted: CountedKeys, excess: number): void {
    const { keys, counts } = keysAbove(excess, counted);
    if (keys.length > 0 || excess > 0) this.#earlierOf(rule).merge({ keys, counts, missing: excess });
  }

  /** By id. Many rules share a key, so each string is created once. */
  #texts(): readonly string[] {
    return Array.from({ length: this.size }, (_, id) => this.#ids.textOf(id));
  }

  /** One entry per rule. */
  summaries(top: number): KeySummary[] {
    const texts = new Array<string | undefined>(this.size).fill(undefined);
    const textOf = (id: number) => {
      texts[id] ??= this.#ids.textOf(id);
      return texts[id];
    };
    return this.#unknown.map((unknown, rule) => {
      const counts = this.#counts[rule]!;
      const earlier = this.#earlier[rule];
      if (earlier === undefined) {
        let distinct = 0;
        for (const count of counts) if (count > 0) distinct++;
        return { top: topKeys(counts, textOf, top), distinct, unknown };
      }
      const keys = new FrequentKeys();
      keys.merge(earlier.data());
      keys.merge({ ...keysAbove(0, { counts, textOf }), missing: 0 });
      return { top: keys.top(top), distinct: keys.distinct, unknown };
    });
  }

  #earlierOf(rule: number): FrequentKeys {
    const keys = this.#earlier[rule] ?? new FrequentKeys();
    this.#earlier[rule] = keys;
    return keys;
  }
}

/** The counts of one rule, and the keys, by id. */
interface CountedKeys {
  readonly counts: Float64Array;
  readonly textOf: (id: number) => string;
}

/** Returns the keys with larger counts, and by how much they are larger. */
function keysAbove(excess: number, { counts, textOf }: CountedKeys): Pick<FrequentKeysData, 'keys' | 'counts'> {
  const [keys, above]: [string[], number[]] = [[], []];
  for (let id = 0; id < counts.length; id++) {
    if (counts[id]! <= excess) continue;
    keys.push(textOf(id));
    above.push(counts[id]! - excess);
  }
  return { keys, counts: above };
}

/** Returns the country code if known, otherwise the name. An empty string means that the address has none. */
function countryOf({ geo }: Exchange): string | undefined {
  const country = geo?.countryCode || geo?.country;
  return country === '' ? undefined : country;
}

/** Returns the recorded path as sent; with its query, nearly every one would be distinct. */
function pathOf(exchange: Exchange): string | undefined {
  const whole = exchange.target ?? exchange.url;
  if (whole === undefined) return undefined;
  if (!whole.startsWith('/')) return splitUrl(whole).path || '/';
  const query = whole.indexOf('?');
  return query < 0 ? whole : whole.slice(0, query);
}

/** Returns a path up to its second slash: `/admin/` for `/admin/users`; the whole path if it has only one. */
export function prefixOf(path: string): string {
  const end = path.indexOf('/', 1);
  return end < 0 ? path : path.slice(0, end + 1);
}

/** Returns the key under which an exchange is listed in a dimension; undefined if it is unknown. `prefixes` are those of paths. */
export function listedKey(exchange: Exchange, dimension: KeyDimension | 'prefixes'): string | undefined {
  const key = KEYS[dimension === 'prefixes' ? 'paths' : dimension](exchange);
  return key === undefined ? undefined : shortKey(dimension === 'prefixes' ? prefixOf(key) : key);
}

/** The countable parts of an exchange. */
export interface Counted {
  readonly place: RecordLocation;
  readonly time: number | undefined;
  readonly status: number | undefined;
  /** Whether a setting of the reader would show which headers were not sent. */
  mayHaveAllHeaders(message: 'request' | 'response'): boolean;
  /** Undefined if unknown. */
  keyOf(dimension: KeyDimension): string | undefined;
}

/** The countable parts of an exchange object. */
export class CountedExchange implements Counted {
  readonly #exchange: Exchange;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  get place(): RecordLocation {
    return this.#exchange.place;
  }

  get time(): number | undefined {
    return this.#exchange.time;
  }

  get status(): number | undefined {
    return this.#exchange.response?.status;
  }

  mayHaveAllHeaders(message: 'request' | 'response'): boolean {
    const { requestHeaders, response } = this.#exchange;
    return (message === 'request' ? requestHeaders : response?.headers)?.mayBeComplete === true;
  }

  keyOf(dimension: KeyDimension): string | undefined {
    return KEYS[dimension](this.#exchange);
  }
}
