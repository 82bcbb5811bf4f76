import { type Bounds, SlotCounts } from './slot-counts.ts';

/** When a breaker trips, and for how long. */
export interface BreakerSettings {
  readonly windowMs: number;
  readonly buckets: number;
  readonly trippedMs: number;
  /** Requests in a window below which it does not trip. */
  readonly volumeThreshold: number;
  /** Share of errors, 0 to 1, at which it trips. */
  readonly errorThreshold: number;
}

/** Whether a request passes; `open`: it hangs on what is not known. */
export type Admission = 'passes' | 'refused' | 'open';

/**
 * What is known of a breaker: it counts; it has tripped, and lets one pass for a trial afterwards; or which of these is open, but not
 * beyond a time: a request that comes later passes, be it a trial or not.
 */
type Mode =
  | { readonly kind: 'counting' }
  | { readonly kind: 'tripped'; readonly until: number }
  /** `mayTry`: it may have tripped before, and be waiting for its trial. */
  | { readonly kind: 'open'; readonly until: number; readonly mayTry: boolean }
  /** A request came of which the time is not known: it may count in any window. */
  | { readonly kind: 'lost' };

const COUNTING: Mode = { kind: 'counting' };

/**
 * Refuses requests for a while once too many of those before ended in errors of the upstream. When the time is over one request passes
 * for a trial: an error trips the breaker again, anything else makes it begin anew. Where statuses are not known, whether it has tripped
 * may be open.
 */
export class CircuitBreaker {
  readonly #settings: BreakerSettings;
  readonly #requests = new SlotCounts();
  readonly #errors = new SlotCounts();
  #mode: Mode = COUNTING;

  constructor(settings: BreakerSettings) {
    this.#settings = settings;
  }

  /** @param at ms, none that is earlier than one before; undefined when it is not known */
  admit(at: number | undefined): Admission {
    const mode = this.#mode;
    if (mode.kind === 'counting') return 'passes';
    if (at === undefined || mode.kind === 'lost') return 'open';
    if (at >= mode.until) return 'passes';
    return mode.kind === 'tripped' ? 'refused' : 'open';
  }

  /**
   * Takes note of the upstream's answer to a request that passed, or may have.
   *
   * @param at undefined when it is not known
   * @param isError undefined when it is not known
   * @param isCertain the upstream was certainly asked
   */
  observe(at: number | undefined, isError: boolean | undefined, isCertain: boolean): void {
    const mode = this.#mode;
    if (at === undefined || mode.kind === 'lost') this.#mode = { kind: 'lost' };
    else if (mode.kind === 'tripped') this.#judgeTrial(at, isError, isCertain);
    else if (mode.kind === 'open' && at >= mode.until) this.#judgePossibleTrial(at, isError, isCertain);
    else {
      this.#count(at, isError, isCertain && mode.kind === 'counting');
      if (mode.kind === 'open' && mode.mayTry && isError !== false) this.#leaveOpen(at, true);
    }
  }

  #leaveOpen(at: number, mayTry: boolean): void {
    this.#mode = { kind: 'open', until: at + this.#settings.trippedMs, mayTry };
  }

  #judgeTrial(at: number, isError: boolean | undefined, isCertain: boolean): void {
    if (isCertain && isError === true) {
      this.#mode = { kind: 'tripped', until: at + this.#settings.trippedMs };
      return;
    }
    this.#requests.clear();
    this.#errors.clear();
    // Had it not been asked at all, the next request would be the trial.
    this.#mode = COUNTING;
    if (!isCertain || isError === undefined) this.#leaveOpen(at, !isCertain);
  }

  /** Whether it was a trial that went well or had never tripped: it counts again, and what it has counted is not certain. */
  #judgePossibleTrial(at: number, isError: boolean | undefined, isCertain: boolean): void {
    this.#requests.doubt();
    this.#errors.doubt();
    this.#mode = COUNTING;
    if (!isCertain || isError !== false) this.#leaveOpen(at, !isCertain);
    this.#count(at, isError, false);
  }

  #count(at: number, isError: boolean | undefined, isCertain: boolean): void {
    const { windowMs, buckets, trippedMs } = this.#settings;
    const slot = Math.floor((at * buckets) / windowMs);
    for (const counts of [this.#requests, this.#errors]) counts.forget(slot, buckets);
    this.#requests.add(slot, { least: isCertain ? 1 : 0, most: 1 });
    this.#errors.add(slot, { least: isCertain && isError === true ? 1 : 0, most: isError === false ? 0 : 1 });
    const [requests, errors] = [this.#requests.sum(), this.#errors.sum()];
    if (isCertain && this.#tripsSurely(requests, errors)) this.#mode = { kind: 'tripped', until: at + trippedMs };
    // Where it may have tripped before, that may be over before this is, and what comes then is a trial.
    else if (this.#mayTrip(requests, errors)) this.#leaveOpen(at, this.#mode.kind === 'open');
  }

  #tripsSurely(requests: Bounds, errors: Bounds): boolean {
    const { volumeThreshold, errorThreshold } = this.#settings;
    return requests.least >= volumeThreshold && errors.least >= errorThreshold * requests.most;
  }

  /** The share of errors is largest where no more than the needed requests, or the certain ones, came. */
  #mayTrip(requests: Bounds, errors: Bounds): boolean {
    const { volumeThreshold, errorThreshold } = this.#settings;
    const fewest = Math.max(requests.least, volumeThreshold);
    return requests.most >= volumeThreshold && errors.most >= errorThreshold * fewest;
  }
}
