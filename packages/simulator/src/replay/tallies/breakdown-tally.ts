import type { Verdict } from '../../decision/verdict.ts';
import type { Outcome } from '../../effects/model/effect.ts';
import { type StatusChange, StatusTally } from '../counting/status-tally.ts';
import { addCount, type TimeData, TimeTally } from '../counting/time-tally.ts';
import type { Counted } from '../keys/counted.ts';
import { KeyBreakdown } from '../keys/key-breakdown.ts';
import type { BreakdownOptions, BreakdownSummary, OutcomeBreakdown, TimeSummary } from '../summary/breakdown.ts';
import { compareOutcomes, outcomeKey } from '../summary/outcome-order.ts';

/** The number of verdicts whose countable parts are cached. */
const MAX_PREPARED = 10_000;

/** The countable parts of a verdict. */
interface PreparedVerdict {
  /** Positions of the rules that certainly matched. */
  readonly matched: readonly number[];
  /** These rules and the outcome's series, for which keys are counted. */
  readonly listed: readonly number[];
  /** The index of the outcome's series. */
  readonly series: number;
}

/** Breaks down what one policy did. */
export class BreakdownTally {
  readonly #ruleCount: number;
  readonly #top: number;
  readonly #time: TimeTally;
  readonly #statuses = new StatusTally();
  /** The outcomes of the series that follow those of the rules. */
  readonly #outcomes: (Outcome | undefined)[] = [undefined];
  readonly #numbers = new Map<string, number>([['', 0]]);
  readonly #keys: KeyBreakdown | undefined;
  readonly #prepared = new Map<Verdict, PreparedVerdict>();

  /**
   * @param ruleCount number of rules in the policy
   * @param maxKeys number of keys to keep, each with a set of rules
   */
  constructor(ruleCount: number, { top }: BreakdownOptions, maxKeys?: number) {
    this.#ruleCount = ruleCount;
    this.#top = top;
    this.#time = new TimeTally(ruleCount + 1);
    this.#keys = top > 0 ? new KeyBreakdown(ruleCount + 1, maxKeys) : undefined;
  }

  add(counted: Counted, verdict: Verdict): void {
    const { matched, listed, series } = this.#preparedFor(verdict);
    const counts = this.#time.add(counted.time);
    if (counts) addCount(counts, series, 1);
    this.#statuses.add(counted.status, verdict.status);
    if (counts) for (const rule of matched) counts[rule]!++;
    if (listed.length > 0) this.#keys?.add(counted, listed);
  }

  #preparedFor(verdict: Verdict): PreparedVerdict {
    const known = this.#prepared.get(verdict);
    if (known !== undefined) return known;
    const prepared = this.#prepare(verdict);
    if (this.#prepared.size === MAX_PREPARED) this.#prepared.clear();
    this.#prepared.set(verdict, prepared);
    return prepared;
  }

  #prepare({ outcomes, hits }: Verdict): PreparedVerdict {
    const matched = hits.flatMap(({ rule, result }) => (result.status === 'matched' ? rule : []));
    const outcome = outcomes.length === 1 ? outcomes[0] : undefined;
    const series = this.#ruleCount + this.#numberOf(outcome);
    return { matched, listed: hasKeys(outcome) ? [...matched, series] : matched, series };
  }

  #numberOf(outcome: Outcome | undefined): number {
    const key = outcome === undefined ? '' : outcomeKey(outcome);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.#outcomes.length);
    this.#keys?.grow(this.#ruleCount + this.#outcomes.length + 1);
    return this.#outcomes.push(outcome) - 1;
  }

  summary(): BreakdownSummary {
    return breakdownSummary({
      ruleCount: this.#ruleCount,
      outcomes: this.#outcomes,
      time: this.#time.data(),
      statuses: this.#statuses.list(),
      keys: this.#keys?.summaries(this.#top),
    });
  }
}

/** The counts of a breakdown. Series are those of the rules, followed by those of the outcomes. */
interface BreakdownCounts {
  readonly ruleCount: number;
  /** Undefined for undetermined. */
  readonly outcomes: readonly (Outcome | undefined)[];
  readonly time: TimeData;
  readonly statuses: readonly StatusChange[];
  /** By series; undefined if not requested. */
  readonly keys: readonly OutcomeBreakdown['keys'][] | undefined;
}

/** Returns the figures of a breakdown. */
export function breakdownSummary({ ruleCount, outcomes, time, statuses, keys }: BreakdownCounts): BreakdownSummary {
  const countsOf = (number: number) => time.buckets.map(({ series }) => series[number] ?? 0);
  return {
    time: timeSummary(time, outcomes, outcome => countsOf(ruleCount + outcome)),
    statuses,
    rules: Array.from({ length: ruleCount }, (_, rule) => ({
      matched: countsOf(rule),
      ...(keys && { keys: keys[rule]! }),
    })),
    ...(keys && { outcomes: outcomeBreakdowns(outcomes, keys.slice(ruleCount)) }),
  };
}

/** @param countsOf returns the counts of an outcome by interval */
function timeSummary(
  { width, buckets, untimed }: TimeData,
  outcomes: BreakdownCounts['outcomes'],
  countsOf: (outcome: number) => readonly number[],
): TimeSummary {
  const counted = outcomes.flatMap((outcome, number) =>
    outcome === undefined ? [] : { outcome, counts: countsOf(number) },
  );
  return {
    width,
    starts: buckets.map(({ start }) => start),
    exchanges: buckets.map(({ exchanges }) => exchanges),
    outcomes: counted.sort((a, b) => compareOutcomes(a.outcome, b.outcome)),
    undetermined: countsOf(outcomes.indexOf(undefined)),
    untimed,
  };
}

/** Whether clients, paths and countries are listed for an outcome: it is certain, and the traffic does not just pass. */
export function hasKeys(outcome: Outcome | undefined): boolean {
  return outcome !== undefined && outcome.kind !== 'passed';
}

/** @param keys parallel to the outcomes */
function outcomeBreakdowns(
  outcomes: readonly (Outcome | undefined)[],
  keys: readonly OutcomeBreakdown['keys'][],
): readonly OutcomeBreakdown[] {
  return outcomes
    .flatMap((outcome, number) => (hasKeys(outcome) ? { outcome: outcome!, keys: keys[number]! } : []))
    .sort((a, b) => compareOutcomes(a.outcome, b.outcome));
}
