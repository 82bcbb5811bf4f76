import type { Exchange } from '@tollgate/traffic';
import type { Verdict } from '../decide/verdict.ts';
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

/** Keys that are held, of all rules together: some 20 MB of clients and paths. */
const MAX_KEYS = 100_000;

const DIMENSIONS = Object.keys(KEYS) as readonly KeyDimension[];

/** Verdicts that are held with what is counted of them. */
const MAX_PREPARED = 20_000;

/** What is counted of a verdict. */
interface PreparedVerdict {
  /** Positions of the rules that matched for sure. */
  readonly matched: readonly number[];
  /** The number of the outcome's series. */
  readonly series: number;
}

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
  readonly #prepared = new Map<Verdict, PreparedVerdict>();
  #lastVerdict: Verdict | undefined;
  #last: PreparedVerdict = { matched: [], series: 0 };

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

  add(exchange: Exchange, verdict: Verdict): void {
    const { matched, series } = this.#preparedFor(verdict);
    const counts = this.#time.add(exchange.time);
    if (counts) addCount(counts, series, 1);
    this.#statuses.add(exchange.response?.status, verdict.status);
    if (matched.length === 0) return;
    if (counts) for (const rule of matched) counts[rule]!++;
    if (this.#top > 0) this.#addKeys(matched, exchange);
  }

  /** Many exchanges share a verdict, and nearly always the one before had the same. */
  #preparedFor(verdict: Verdict): PreparedVerdict {
    if (verdict === this.#lastVerdict) return this.#last;
    const { outcomes, hits } = verdict;
    const known = this.#prepared.get(verdict);
    this.#last = known ?? {
      matched: hits.flatMap(({ rule, result }) => (result.status === 'matched' ? rule : [])),
      series: this.#ruleCount + this.#numberOf(outcomes.length === 1 ? outcomes[0] : undefined),
    };
    this.#lastVerdict = verdict;
    if (known === undefined) {
      if (this.#prepared.size >= MAX_PREPARED) this.#prepared.clear();
      this.#prepared.set(verdict, this.#last);
    }
    return this.#last;
  }

  #addKeys(rules: readonly number[], exchange: Exchange): void {
    for (let dimension = 0; dimension < DIMENSIONS.length; dimension++) {
      const key = KEYS[DIMENSIONS[dimension]!](exchange);
      for (const rule of rules) if (this.#keys[rule]![dimension]!.add(key)) this.#keyCount++;
    }
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
