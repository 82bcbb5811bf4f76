import type { Assignment } from './abstract-condition.ts';
import { LiteralIndex } from './literal-index.ts';
import { type Need, type Needs, needsOf } from './needs.ts';
import type { RuleApproximation } from './rule-approximation.ts';

/**
 * The rules of a phase by what they need. Each is found by its rarest literals, so that rules that cannot match an assignment, or cannot
 * overlap with another rule, are skipped. Positions are those in the phase.
 */
export class RuleIndex {
  readonly #byKey = new Map<string, LiteralIndex>();
  /** By position. */
  readonly #needs: readonly (Needs | undefined)[];
  /** By position, the value that all needs of a rule test. */
  readonly #keys: readonly (string | undefined)[];
  /** By position, the next position with another key. */
  readonly #nextOther: readonly number[];
  readonly #always: readonly number[];
  /** By key, the rules whose needs the default value meets. */
  readonly #initially = new Map<string, ReadonlySet<number>>();
  /** By needs, the positions of the rules that may match together with one that has them; copied rules have the same. */
  readonly #met = new Map<string, readonly number[] | undefined>();

  constructor(rules: readonly (RuleApproximation | undefined)[]) {
    this.#needs = rarestNeeds(rules.map(rule => (rule === undefined ? [] : needsOf(rule.whole))));
    this.#keys = this.#needs.map(keyOf);
    this.#nextOther = nextOther(this.#keys);
    this.#always = rules.flatMap((rule, at) => (rule !== undefined && this.#needs[at] === undefined ? [at] : []));
    this.#needs.forEach((needs, at) => {
      for (const need of needs ?? []) this.#of(need).add(need, at);
    });
    for (const [key, index] of this.#byKey) {
      const found = new Set<number>();
      index.metByDefaultValue(found);
      if (found.size > 0) this.#initially.set(key, found);
    }
  }

  #of({ key, defaultValue }: Need): LiteralIndex {
    let index = this.#byKey.get(key);
    if (index === undefined) {
      index = new LiteralIndex(defaultValue);
      this.#byKey.set(key, index);
    }
    return index;
  }

  /** Returns the positions of all rules that may match under an assignment, unordered. */
  mayHoldIn(assignment: Assignment): ReadonlySet<number> {
    const found = new Set(this.#always);
    for (const [key, positions] of this.#initially)
      if (!assignment.has(key)) for (const position of positions) found.add(position);
    for (const [key, value] of assignment) this.#byKey.get(key)?.metBy(value, found);
    return found;
  }

  /** Returns the positions in a range of rules that may match together with a rule, in order. */
  *overlapping(position: number, from: number, to: number): Generator<number> {
    const key = this.#keys[position];
    const found = key === undefined ? undefined : this.#metWith(position, key);
    if (found === undefined) {
      for (let at = from; at < to; at += 1) yield at;
      return;
    }
    let next = 0;
    let other = from;
    for (;;) {
      while (other < to && this.#keys[other] === key) other = this.#nextOther[other]!;
      while (found[next] !== undefined && found[next]! < from) next += 1;
      const at = Math.min(other, found[next] ?? to);
      if (at >= to) return;
      yield at;
      if (at === other) other += 1;
      if (at === found[next]) next += 1;
    }
  }

  /** Returns how many rules must be read before {@link overlapping} yields the first one. */
  readsBefore(position: number): number {
    const key = this.#keys[position];
    if (key === undefined || this.#met.has(idsOf(this.#needs[position]!))) return 0;
    return this.#metWith(position, key)?.length ?? 0;
  }

  #metWith(position: number, key: string): readonly number[] | undefined {
    const needs = this.#needs[position]!;
    const ids = idsOf(needs);
    if (this.#met.has(ids)) return this.#met.get(ids);
    const found = new Set<number>();
    const index = this.#byKey.get(key);
    const met = needs.every(need => index?.metWith(need, found)) ? [...found].toSorted((a, b) => a - b) : undefined;
    this.#met.set(ids, met);
    return met;
  }
}

/** Returns, for each rule, the list of needs that it shares with the fewest rules. */
function rarestNeeds(options: readonly (readonly Needs[])[]): readonly (Needs | undefined)[] {
  const counts = new Map<string, number>();
  for (const need of options.flat(2)) counts.set(idOf(need), (counts.get(idOf(need)) ?? 0) + 1);
  const cost = (needs: Needs) => needs.reduce((sum, need) => sum + counts.get(idOf(need))!, 0);
  return options.map(([first, ...rest]) => {
    if (first === undefined || rest.length === 0) return first;
    return rest.reduce((best, one) => (cost(one) < cost(best) ? one : best), first);
  });
}

function idOf({ key, test, literal }: Need): string {
  return `${key}\0${test}\0${typeof literal}\0${literal}`;
}

function idsOf(needs: Needs): string {
  return needs.map(idOf).join('\n');
}

function keyOf(needs: Needs | undefined): string | undefined {
  const key = needs?.[0]?.key;
  return needs?.every(need => need.key === key) ? key : undefined;
}

function nextOther(keys: readonly (string | undefined)[]): readonly number[] {
  const found: number[] = [];
  for (let at = keys.length - 1; at >= 0; at -= 1)
    found[at] = at + 1 < keys.length && keys[at + 1] === keys[at] ? found[at + 1]! : at + 1;
  return found;
}
