import type { Exchange } from '@tollgate/traffic';
import type { Decision } from '../decide/decision.ts';
import type { Outcome } from '../effects/effect.ts';
import type { BreakdownOptions, BreakdownSummary, KeyDimension, RuleBreakdown, TimeSummary } from './breakdown.ts';
import { KEYS, KeyTally, type KeyTallyData } from './key-tally.ts';
import { compareOutcomes, outcomeKey } from './outcome-order.ts';
import { type StatusChange, StatusTally } from './status-tally.ts';
import { addCount, type TimeData, TimeTally } from './time-tally.ts';

/** What {@link BreakdownTally} has counted, as plain data. */
export interface BreakdownData {
  readonly time: TimeData;
  /** Of the series behind those of the rules; undefined for what is undetermined. */
  readonly outcomes: readonly (Outcome | undefined)[];
  readonly statuses: readonly StatusChange[];
  readonly keys: readonly (readonly KeyTallyData[])[];
}

/** Keys that are held, of all rules together: some 30 MB of clients and paths. */
const MAX_KEYS = 200_000;

const DIMENSIONS = Object.keys(KEYS) as readonly KeyDimension[];

/** Breaks down what one policy did. */
export class BreakdownTally {
  readonly #ruleCount: number;
  readonly #top: number;
  readonly #time: TimeTally;
  readonly #statuses = new StatusTally();
  /** The series of outcomes over time, behind those of the rules. */
  readonly #outcomes: (Outcome | undefined)[] = [undefined];
  readonly #numbers = new Map<string, number>([['', 0]]);
  /** By rule, and by dimension. */
  readonly #keys: readonly (readonly KeyTally[])[];
  readonly #maxKeys: number;
  #keyCount = 0;

  /**
   * @param ruleCount of the policy
   * @param maxKeys that are held of all rules together
   */
  constructor(ruleCount: number, { top }: BreakdownOptions, maxKeys = MAX_KEYS) {
    this.#ruleCount = ruleCount;
    this.#top = top;
    this.#time = new TimeTally(ruleCount + 1);
    this.#maxKeys = maxKeys;
    const keyedRules = top > 0 ? ruleCount : 0;
    this.#keys = Array.from({ length: keyedRules }, () => DIMENSIONS.map(() => new KeyTally()));
  }

  add(exchange: Exchange, decision: Decision): void {
    const { rules, outcomes } = decision;
    const series = this.#time.add(exchange.time);
    if (series) addCount(series, this.#ruleCount + this.#numberOf(outcomes.length === 1 ? outcomes[0] : undefined), 1);
    this.#statuses.add(exchange, decision);
    let keys: readonly (string | undefined)[] | undefined;
    for (let rule = 0; rule < rules.length; rule++) {
      if (rules[rule]!.status !== 'matched') continue;
      if (series) series[rule]!++;
      if (this.#top === 0) continue;
      keys ??= DIMENSIONS.map(dimension => KEYS[dimension](exchange));
      this.#addKeys(this.#keys[rule]!, keys);
    }
  }

  #addKeys(tallies: readonly KeyTally[], keys: readonly (string | undefined)[]): void {
    for (let dimension = 0; dimension < tallies.length; dimension++)
      if (tallies[dimension]!.add(keys[dimension])) this.#keyCount++;
    if (this.#keyCount > this.#maxKeys) this.#dropKeys();
  }

  /** Keeps half of the keys: what is rare goes first from where there are most. */
  #dropKeys(): void {
    const all = this.#keys.flat().map(({ keys }) => keys);
    all.sort((a, b) => a.size - b.size);
    let left = Math.floor(this.#maxKeys / 2);
    all.forEach((keys, index) => {
      keys.keep(Math.floor(left / (all.length - index)));
      left -= keys.size;
    });
    this.#keyCount = all.reduce((sum, { size }) => sum + size, 0);
  }

  #numberOf(outcome: Outcome | undefined): number {
    const key = outcome === undefined ? '' : outcomeKey(outcome);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.#outcomes.length);
    return this.#outcomes.push(outcome) - 1;
  }

  /** Adds what was counted elsewhere, of the same policy. */
  merge(data: BreakdownData): void {
    const outcomes = data.outcomes.map(outcome => this.#ruleCount + this.#numberOf(outcome));
    this.#time.merge(data.time, [...this.#keylessNumbers(), ...outcomes]);
    this.#statuses.merge(data.statuses);
    data.keys.forEach((tallies, rule) => {
      tallies.forEach((tally, dimension) => {
        this.#keys[rule]![dimension]!.merge(tally);
      });
    });
    this.#keyCount = this.#keys.flat().reduce((sum, { keys }) => sum + keys.size, 0);
    if (this.#keyCount > this.#maxKeys) this.#dropKeys();
  }

  #keylessNumbers(): Iterable<number> {
    return Array.from({ length: this.#ruleCount }).keys();
  }

  data(): BreakdownData {
    return {
      time: this.#time.data(),
      outcomes: this.#outcomes,
      statuses: this.#statuses.list(),
      keys: this.#keys.map(tallies => tallies.map(tally => tally.data())),
    };
  }

  summary(): BreakdownSummary {
    const time = this.#time.data();
    const countsOf = (number: number) => time.buckets.map(({ series }) => series[number] ?? 0);
    return {
      time: this.#timeSummary(time, countsOf),
      statuses: this.#statuses.list(),
      rules: Array.from({ length: this.#ruleCount }, (_, rule) => this.#ruleSummary(rule, countsOf(rule))),
    };
  }

  #timeSummary({ width, buckets, untimed }: TimeData, countsOf: (number: number) => readonly number[]): TimeSummary {
    const outcomes = this.#outcomes.flatMap((outcome, number) =>
      outcome === undefined ? [] : { outcome, counts: countsOf(this.#ruleCount + number) },
    );
    return {
      width,
      starts: buckets.map(({ start }) => start),
      exchanges: buckets.map(({ exchanges }) => exchanges),
      outcomes: outcomes.sort((a, b) => compareOutcomes(a.outcome, b.outcome)),
      undetermined: countsOf(this.#ruleCount),
      untimed,
    };
  }

  #ruleSummary(rule: number, matched: readonly number[]): RuleBreakdown {
    const tallies = this.#keys[rule];
    if (tallies === undefined) return { matched };
    const [clients, paths, countries] = tallies.map(tally => tally.summary(this.#top));
    return { matched, keys: { clients: clients!, paths: paths!, countries: countries! } };
  }
}
