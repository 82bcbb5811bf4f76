/** Counters with bounds, and tallies of statuses and rewrites. */
import type { RecordLocation } from '@tollgate/traffic';
import type { ClientStatus, NoStatus, RuleHit, Verdict } from '../simulation/decision.ts';

/** How often something happened: exactly, or within bounds. */
export interface Interval {
  readonly least: number;
  readonly most: number;
}

/** How often something happened, and where first. */
export interface Occurrence {
  readonly text: string;
  readonly count: number;
  readonly example: RecordLocation;
}

/** The number of distinct strings that are counted separately: clients can name inputs, which makes their number unbounded. */
const MAX_TEXTS = 1000;

/** Counts strings. Beyond the limit, new ones are counted together. */
export class OccurrenceCounter {
  readonly #occurrences = new Map<string, { count: number; readonly example: RecordLocation }>();

  add(text: string, place: RecordLocation, times = 1): void {
    const key = this.#occurrences.has(text) || this.#occurrences.size < MAX_TEXTS ? text : 'others';
    const known = this.#occurrences.get(key);
    if (known === undefined) this.#occurrences.set(key, { count: times, example: place });
    else known.count += times;
  }

  /** Most frequent first. */
  list(): Occurrence[] {
    const all = [...this.#occurrences].map(([text, { count, example }]) => ({ text, count, example }));
    return all.sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1));
  }
}

/** Counts certain and possible events separately. */
export class IntervalCounter {
  #least = 0;
  #most = 0;

  add(isCertain: boolean, times = 1): void {
    if (isCertain) this.#least += times;
    this.#most += times;
  }

  get interval(): Interval {
    return { least: this.#least, most: this.#most };
  }
}

/** The number of exchanges with a recorded status and the status after the policy, which may be equal. */
export interface StatusChange {
  readonly recorded: number | 'unknown';
  readonly after: number | NoStatus;
  readonly count: number;
}

/** The number of status pairs that are counted separately: recordings may contain any. */
const MAX_PAIRS = 2500;
/** Above every status, which has three digits (RFC 9110, section 15). */
const BASE = 1000;
const NO_STATUS: readonly NoStatus[] = ['unknown', 'closed', 'undetermined'];

/** Counts pairs of recorded statuses and those that clients receive. */
export class StatusTally {
  /** By recorded status, then by the client's status. */
  readonly #counts: (Float64Array | undefined)[] = new Array(BASE).fill(undefined);
  #pairs = 0;

  /** @param recorded undefined if unknown */
  add(recorded: number | undefined, after: ClientStatus, times = 1): void {
    const code = codeOf(recorded);
    this.#add(code, after === 'recorded' ? code : codeAfter(after), times);
  }

  /** In the order of the recorded status, unknown ones last. */
  list(): StatusChange[] {
    const order = (code: number) => (code < 100 ? BASE + code : code);
    const pairs = this.#counts.flatMap((counts = NO_COUNTS, recorded) =>
      Array.from(counts, (count, after) => [recorded, after, count] as const).filter(([, , count]) => count > 0),
    );
    return pairs
      .sort((a, b) => order(a[0]) - order(b[0]) || order(a[1]) - order(b[1]))
      .map(([recorded, after, count]) => ({
        recorded: recorded === 0 ? 'unknown' : recorded,
        after: NO_STATUS[after] ?? after,
        count,
      }));
  }

  #add(recorded: number, after: number, count: number): void {
    const counts = this.#counts[recorded];
    const known = counts?.[after] ?? 0;
    // Beyond the limit, all pairs are counted as unknown.
    const isBeyond = known === 0 && this.#pairs >= MAX_PAIRS;
    if (known > 0) counts![after]! += count;
    else if (!isBeyond) this.#addPair(recorded, after, count);
    else if (this.#counts[0]?.[0]) this.#counts[0][0] += count;
    else this.#addPair(0, 0, count);
  }

  #addPair(recorded: number, after: number, count: number): void {
    const counts = this.#counts[recorded] ?? new Float64Array(BASE);
    this.#counts[recorded] = counts;
    this.#pairs++;
    counts[after] = count;
  }
}

const NO_COUNTS = new Float64Array(0);

function codeAfter(after: number | NoStatus): number {
  return typeof after === 'number' ? codeOf(after) : NO_STATUS.indexOf(after);
}

/** A number that is not an HTTP status counts as unknown. */
function codeOf(status: number | undefined): number {
  return status !== undefined && Number.isInteger(status) && status >= 100 && status < BASE ? status : 0;
}

const REWRITE = 'url-rewrite';

/** Counts exchanges whose URL was rewritten. */
export class RewriteTally {
  /** By rule: the positions of the actions that rewrite. */
  readonly #rewriting: readonly (readonly number[])[];
  readonly #counter = new IntervalCounter();

  /** @param actions types of the actions of each rule */
  constructor(actions: readonly (readonly string[])[]) {
    this.#rewriting = actions.map(types => types.flatMap((type, position) => (type === REWRITE ? position : [])));
  }

  add({ hits }: Verdict, times: number): void {
    const results = hits.flatMap(hit => this.#resultsOf(hit));
    if (results.includes('fired')) this.#counter.add(true, times);
    else if (results.includes('may-have-fired')) this.#counter.add(false, times);
  }

  #resultsOf({ rule, result }: RuleHit) {
    if (result.status === 'failed') return [];
    return this.#rewriting[rule]!.map(position => result.actions[position]);
  }

  /** Undefined if no rule rewrites. */
  summary(): Interval | undefined {
    return this.#rewriting.some(positions => positions.length > 0) ? this.#counter.interval : undefined;
  }
}
