import type { Signal } from '../logic/graph.ts';
import type { TestMeaning } from '../theory/cell-values.ts';
import type { Cell, Vocabulary } from '../theory/vocabulary.ts';
import { commonKeys, type KeyKind, keysOf, requiredTests } from './test-keys.ts';

/** What a value must begin with for a formula to hold. */
interface Claim {
  readonly table: KeyTable;
  readonly keys: readonly string[];
}

/**
 * Formulas in order, indexed by what values must begin or end with: those that cannot hold together with one of them because they need
 * another value are skipped without a question.
 */
export class OverlapIndex {
  readonly #tables = new Map<Cell, Map<KeyKind, KeyTable>>();
  /** By position. */
  readonly #claims: readonly (readonly Claim[])[];

  constructor(signals: readonly Signal[], vocabulary: Vocabulary) {
    this.#claims = signals.map((signal, at) => {
      const claims = this.#claimsOf(requiredTests(signal, vocabulary));
      for (const { table, keys } of claims) table.add(keys, at);
      return claims;
    });
    for (const tables of this.#tables.values()) for (const table of tables.values()) table.finish(signals.length);
  }

  /** Yields the positions before one, in order, of formulas that may hold together with the one there. */
  *before(position: number): Iterable<number> {
    const claims = this.#claims[position]!;
    const narrowest = claims.reduce<Claim | undefined>(
      (best, claim) => (best === undefined || breadthOf(claim) < breadthOf(best) ? claim : best),
      undefined,
    );
    const candidates = narrowest === undefined ? counting(position) : merge(narrowest, position);
    for (const at of candidates) if (!claims.some(claim => claim.table.excludes(claim.keys, at))) yield at;
  }

  #claimsOf(tests: readonly TestMeaning[]): readonly Claim[] {
    const found = new Map<KeyTable, readonly string[]>();
    for (const test of tests) {
      for (const kind of KINDS) {
        const keys = keysOf(test, kind);
        if (keys === undefined) continue;
        const table = this.#tableOf(test.cell, kind);
        const known = found.get(table);
        found.set(table, known === undefined ? keys : commonKeys(known, keys));
      }
    }
    return [...found].map(([table, keys]) => ({ table, keys }));
  }

  #tableOf(cell: Cell, kind: KeyKind): KeyTable {
    let tables = this.#tables.get(cell);
    if (tables === undefined) {
      tables = new Map();
      this.#tables.set(cell, tables);
    }
    let table = tables.get(kind);
    if (table === undefined) {
      table = new KeyTable();
      tables.set(kind, table);
    }
    return table;
  }
}

const KINDS: readonly KeyKind[] = ['string', 'reversed', 'digits'];

/** Formulas by the keys of one kind that a cell must begin with. */
class KeyTable {
  readonly #keys = new Map<number, readonly string[]>();
  readonly #positions = new Map<string, number[]>();
  #sorted: readonly string[] = [];
  /** By sorted key: how many positions the keys before it have. */
  #counts: readonly number[] = [];
  #lengths: ReadonlySet<number> = new Set();
  #others: readonly number[] = [];
  readonly #related = new Map<string, readonly number[]>();

  add(keys: readonly string[], at: number): void {
    this.#keys.set(at, keys);
    for (const key of keys) {
      const known = this.#positions.get(key);
      if (known === undefined) this.#positions.set(key, [at]);
      else known.push(at);
    }
  }

  finish(count: number): void {
    this.#sorted = [...this.#positions.keys()].sort();
    const counts = [0];
    for (const key of this.#sorted) counts.push(counts.at(-1)! + this.#positions.get(key)!.length);
    this.#counts = counts;
    this.#lengths = new Set(this.#sorted.map(key => key.length));
    this.#others = [...counting(count)].filter(at => !this.#keys.has(at));
  }

  /** Positions without keys, in order. */
  get others(): readonly number[] {
    return this.#others;
  }

  /** Returns about how many positions are related to keys. */
  countOf(keys: readonly string[]): number {
    return keys.reduce((sum, key) => {
      const longer = this.#counts[this.#firstFrom(`${key}\uFFFF`)]! - this.#counts[this.#firstFrom(key)]!;
      return this.#shorter(key).reduce((all, positions) => all + positions.length, sum + longer);
    }, 0);
  }

  /** Returns the positions of keys that begin with one of these, or that one of these begins with, in order. */
  related(keys: readonly string[]): readonly number[] {
    const [key, ...others] = keys;
    if (key !== undefined && others.length === 0) return this.#relatedTo(key);
    return [...new Set(keys.flatMap(one => this.#relatedTo(one)))].sort((a, b) => a - b);
  }

  /** Many rules have the same key. */
  #relatedTo(key: string): readonly number[] {
    let found = this.#related.get(key);
    if (found === undefined) {
      const positions = [...this.#shorter(key)];
      for (let next = this.#firstFrom(key); this.#sorted[next]?.startsWith(key); next++)
        positions.push(this.#positions.get(this.#sorted[next]!)!);
      found = [...new Set(positions.flat())].sort((a, b) => a - b);
      this.#related.set(key, found);
    }
    return found;
  }

  /** Returns the positions of each key that is a beginning of this one. */
  #shorter(key: string): readonly (readonly number[])[] {
    return [...this.#lengths].flatMap(length => {
      const positions = length < key.length ? this.#positions.get(key.slice(0, length)) : undefined;
      return positions === undefined ? [] : [positions];
    });
  }

  /** Returns true if no value begins with one of these keys and with one of those of a position. */
  excludes(keys: readonly string[], at: number): boolean {
    const others = this.#keys.get(at);
    if (others === undefined || others.length * keys.length > MOST_PAIRS) return false;
    return !keys.some(key => others.some(other => key.startsWith(other) || other.startsWith(key)));
  }

  #firstFrom(key: string): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#sorted[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Comparing more keys costs more than a question. */
const MOST_PAIRS = 1024;

function breadthOf({ table, keys }: Claim): number {
  return table.countOf(keys) + table.others.length;
}

/** Yields the positions before one that are related to the claim or say nothing about its cell, in order. */
function* merge({ table, keys }: Claim, end: number): Iterable<number> {
  const [related, { others }] = [table.related(keys), table];
  for (let a = 0, b = 0; ; ) {
    const at = Math.min(related[a] ?? end, others[b] ?? end);
    if (at >= end) return;
    yield at;
    if (at === related[a]) a++;
    else b++;
  }
}

function* counting(end: number): Iterable<number> {
  for (let at = 0; at < end; at++) yield at;
}
