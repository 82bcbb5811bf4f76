// Questions about conditions, and an index by which those that overlap are found without asking about each pair.

import type { Phase } from '@tollgate/catalog';
import type { Expr, TypedAst } from '@tollgate/cel';
import type { Exchange } from '@tollgate/traffic';
import { allOf, anyOf, type Condition, FALSE, type Signal, TRUE } from '../logic/formula.ts';
import { readCondition } from '../reader/read-condition.ts';
import type { Cell, TestMeaning, Vocabulary } from '../theory/vocabulary.ts';
import type { Sample, SolverSession } from './session.ts';
import { commonKeys, type KeyKind, keysOf, requiredTests, SignalList } from './signal-list.ts';

/**
 * Questions about the conditions of one phase, before any rule changed anything. Answers are proofs if they are true; false also means that
 * there was no proof.
 */
export class ConditionQuestions {
  readonly #session: SolverSession;
  readonly #phase: Phase;
  readonly #contingent = new Map<string, boolean>();

  constructor(session: SolverSession, phase: Phase) {
    this.#session = session;
    this.#phase = phase;
  }

  /** Reads an expression, or a part of it that is outside of its loops. */
  read(typed: TypedAst, root: Expr = typed.ast.root): Condition {
    const { context } = this.#session;
    const reading = { ...this.#session.reading(this.#phase), versionOf: () => '' };
    return readCondition({ ...typed, ast: { ...typed.ast, root } }, context.environments[this.#phase], reading);
  }

  /** Returns `&&` of all operands. */
  allOf(operands: readonly Condition[]): Condition {
    return allOf(this.#session.vocabulary.graph, operands);
  }

  /** Returns `||` of all operands. */
  anyOf(operands: readonly Condition[]): Condition {
    return anyOf(this.#session.vocabulary.graph, operands);
  }

  /** Returns true if the condition holds for no input. */
  isUnsatisfiable({ whenTrue }: Condition): boolean {
    return this.#isImpossible([whenTrue]);
  }

  /** Returns true if the condition holds for every input. */
  isTautology({ whenTrue }: Condition): boolean {
    return this.#isImpossible([-whenTrue]);
  }

  /** Returns true if the condition is false for no input: it holds or fails. */
  isNeverFalse({ whenFalse }: Condition): boolean {
    return this.#isImpossible([whenFalse]);
  }

  /** Returns true if the second condition holds wherever the first one does. */
  implies(a: Condition, b: Condition): boolean {
    return a.whenTrue === b.whenTrue || this.#isImpossible([a.whenTrue, -b.whenTrue]);
  }

  /** Returns true if no input satisfies both conditions. */
  areDisjoint(a: Condition, b: Condition): boolean {
    return this.#isImpossible([a.whenTrue, b.whenTrue]);
  }

  /** Returns true if the condition may be true and may be false. */
  isContingent(condition: Condition): boolean {
    const key = `${condition.whenTrue}:${condition.whenFalse}`;
    let answer = this.#contingent.get(key);
    if (answer === undefined) {
      const { whenTrue, whenFalse } = condition;
      answer = [whenTrue, whenFalse].every(signal => this.#session.isFree(signal) || !this.#isImpossible([signal]));
      this.#contingent.set(key, answer);
    }
    return answer;
  }

  /**
   * Returns the positions of conditions that together hold wherever another one does, a single one if possible. No position can be dropped.
   * Undefined if coverage cannot be proved.
   */
  covering(conditions: readonly Condition[], condition: Condition): readonly number[] | undefined {
    const goals = conditions.map(one => -one.whenTrue);
    const answer = this.#session.contradiction([condition.whenTrue, ...goals]);
    if (answer === undefined) return undefined;
    let needed = conditions.flatMap((_, at) => (answer.includes(goals[at]!) ? [at] : []));
    const isCovered = (by: readonly number[]) => this.#isImpossible([condition.whenTrue, ...by.map(at => goals[at]!)]);
    const single = needed.length > 1 ? needed.find(at => isCovered([at])) : undefined;
    if (single !== undefined) return [single];
    for (const at of needed) {
      const fewer = needed.filter(other => other !== at);
      if (fewer.length > 0 && isCovered(fewer)) needed = fewer;
    }
    return needed;
  }

  /** Returns values under which a condition holds, to try other conditions on; undefined if none were found. */
  sampleWhere(condition: Condition): Sample | undefined {
    const found = this.#session.sample([condition.whenTrue]);
    return found.kind === 'found' ? found.sample : undefined;
  }

  /** Returns conditions, in order, of which the first that holds for values is found fast. One that is missing always holds. */
  inOrder(conditions: readonly (Condition | undefined)[]): SignalList {
    return new SignalList(
      conditions.map(one => one?.whenTrue ?? TRUE),
      this.#session.vocabulary,
    );
  }

  /** Returns conditions, in order, for looking up those that may hold together with one of them. One that is missing may always hold. */
  overlaps(conditions: readonly (Condition | undefined)[]): OverlapIndex {
    return new OverlapIndex(
      conditions.map(one => one?.whenTrue ?? TRUE),
      this.#session.vocabulary,
    );
  }

  /** Returns true if two conditions can hold together, and neither implies the other. */
  overlapInPart(a: Condition, b: Condition): boolean {
    if (this.#session.areFree([a.whenTrue, b.whenTrue])) return true;
    if (this.#session.sample([a.whenTrue, b.whenTrue]).kind !== 'found') return false;
    return !this.implies(a, b) && !this.implies(b, a);
  }

  /** Returns exchanges on which some conditions should hold and others should not, the likeliest first; only the simulator can tell. */
  exchangesWhere(holding: readonly Condition[], failing: readonly Condition[]): readonly Exchange[] {
    const answer = this.#session.ask([...holding.map(one => one.whenTrue), ...failing.map(one => -one.whenTrue)]);
    return answer.kind === 'found' ? answer.exchanges : [];
  }

  #isImpossible(goals: readonly Signal[]): boolean {
    if (goals.includes(FALSE)) return true;
    return this.#session.contradiction(goals) !== undefined;
  }
}

/** What a value must begin with for a formula to hold. */
interface Claim {
  readonly table: KeyTable;
  readonly keys: readonly string[];
}

/**
 * Formulas in order, indexed by what values must begin or end with: those that cannot hold together with one of them because they need
 * another value are skipped without a question.
 */
class OverlapIndex {
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
    if (others === undefined || others.length * keys.length > MAX_PAIRS) return false;
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
const MAX_PAIRS = 1024;

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
