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
 * Refuses requests for a while once too many of those before ended in errors of the upstream. When the time is over one request passes
 * for a trial: an error trips the breaker again, anything else makes it begin anew. Where statuses are not known, whether it has tripped
 * may be open.
 */
export class CircuitBreaker {
  readonly #settings: BreakerSettings;
  readonly #requests = new SlotCounts();
  readonly #errors = new SlotCounts();
  #trippedUntil: number | undefined;
  #maybeTrippedUntil = Number.NEGATIVE_INFINITY;

  constructor(settings: BreakerSettings) {
    this.#settings = settings;
  }

  /** @param at ms, none that is earlier than one before; undefined when it is not known */
  admit(at: number | undefined): Admission {
    const isUneasy = this.#trippedUntil !== undefined || this.#maybeTrippedUntil > Number.NEGATIVE_INFINITY;
    if (at === undefined) return isUneasy ? 'open' : 'passes';
    if (this.#trippedUntil !== undefined) return at < this.#trippedUntil ? 'refused' : 'passes';
    return at < this.#maybeTrippedUntil ? 'open' : 'passes';
  }

  /**
   * Takes note of the upstream's answer to a request that passed, or may have.
   *
   * @param isError undefined when it is not known
   * @param isCertain the upstream was certainly asked
   */
  observe(at: number, isError: boolean | undefined, isCertain: boolean): void {
    if (this.#trippedUntil !== undefined) this.#judgeTrial(at, isError, isCertain);
    else this.#count(at, isError, isCertain);
  }

  #judgeTrial(at: number, isError: boolean | undefined, isCertain: boolean): void {
    const again = at + this.#settings.trippedMs;
    if (isCertain && isError === true) {
      this.#trippedUntil = again;
      return;
    }
    this.#trippedUntil = undefined;
    this.#requests.clear();
    this.#errors.clear();
    // Had it not been asked at all, the next request would be the trial.
    if (!isCertain || isError === undefined) this.#maybeTrippedUntil = again;
  }

  #count(at: number, isError: boolean | undefined, isCertain: boolean): void {
    const { windowMs, buckets, trippedMs } = this.#settings;
    const slot = Math.floor((at * buckets) / windowMs);
    // A breaker that may have tripped may have begun anew: what it has counted since is not certain.
    const isCounted = isCertain && this.#maybeTrippedUntil === Number.NEGATIVE_INFINITY;
    for (const counts of [this.#requests, this.#errors]) counts.forget(slot, buckets);
    this.#requests.add(slot, { least: isCounted ? 1 : 0, most: 1 });
    this.#errors.add(slot, { least: isCounted && isError === true ? 1 : 0, most: isError === false ? 0 : 1 });
    const [requests, errors] = [this.#requests.sum(), this.#errors.sum()];
    const isTrial = at >= this.#maybeTrippedUntil && this.#maybeTrippedUntil > Number.NEGATIVE_INFINITY;
    if (this.#tripsSurely(requests, errors)) this.#trip(at + trippedMs);
    else if (this.#mayTrip(requests, errors) || (isTrial && isError !== false))
      this.#maybeTrippedUntil = at + trippedMs;
    else if (isTrial && at >= this.#maybeTrippedUntil + windowMs) this.#maybeTrippedUntil = Number.NEGATIVE_INFINITY;
  }

  #trip(until: number): void {
    this.#trippedUntil = until;
    this.#maybeTrippedUntil = Number.NEGATIVE_INFINITY;
  }

  #tripsSurely(requests: Bounds, errors: Bounds): boolean {
    const { volumeThreshold, errorThreshold } = this.#settings;
    return requests.least >= volumeThreshold && errors.least >= errorThreshold * requests.most;
  }

  #mayTrip(requests: Bounds, errors: Bounds): boolean {
    const { volumeThreshold, errorThreshold } = this.#settings;
    const fewest = Math.max(requests.least, errors.most, 1);
    return requests.most >= volumeThreshold && errors.most >= errorThreshold * fewest;
  }
}
