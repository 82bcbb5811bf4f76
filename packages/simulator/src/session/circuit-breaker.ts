import { type Bounds, SlotCounts } from './slot-counts.ts';

/** When a breaker trips, and for how long. */
export interface BreakerSettings {
  readonly windowMs: number;
  readonly buckets: number;
  readonly trippedMs: number;
  /** The number of requests in a window below which it does not trip. */
  readonly volumeThreshold: number;
  /** The fraction of errors, 0 to 1, at which it trips. */
  readonly errorThreshold: number;
}

/** Whether a request passes; `open`: that depends on unknown inputs. */
type Admission = 'passes' | 'refused' | 'open';

/**
 * The known state of a breaker: it counts; it has tripped, and will let one request pass as a trial; or it is unknown which, until a time
 * after which requests pass in any case.
 */
type Mode =
  | { readonly kind: 'counting' }
  | { readonly kind: 'tripped'; readonly until: number }
  /** `mayTry`: it may have tripped before and be waiting for its trial. */
  | { readonly kind: 'open'; readonly until: number; readonly mayTry: boolean }
  /** A request without a known time arrived, which may count in any window. */
  | { readonly kind: 'lost' };

const COUNTING: Mode = { kind: 'counting' };

/**
 * Refuses requests for a while after too many recent ones ended in upstream errors. After that time, one request passes as a trial: an error
 * trips the breaker again, anything else resets it. If statuses are unknown, its state may be unknown, too.
 */
export class CircuitBreaker {
  readonly #settings: BreakerSettings;
  readonly #requests = new SlotCounts();
  readonly #errors = new SlotCounts();
  #mode: Mode = COUNTING;

  constructor(settings: BreakerSettings) {
    this.#settings = settings;
  }

  /** @param at in ms, not before an earlier call; undefined if unknown */
  admit(at: number | undefined): Admission {
    const mode = this.#mode;
    if (mode.kind === 'counting') return 'passes';
    if (at === undefined || mode.kind === 'lost') return 'open';
    if (at >= mode.until) return 'passes';
    return mode.kind === 'tripped' ? 'refused' : 'open';
  }

  /**
   * Records the upstream's response to a request that passed, or may have.
   * @param at undefined if unknown
   * @param isError undefined if unknown
   * @param isCertain whether the upstream was certainly asked
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
    // If the upstream was not asked, the next request is the trial.
    this.#mode = COUNTING;
    if (!isCertain || isError === undefined) this.#leaveOpen(at, !isCertain);
  }

  /** It was a successful trial, or the breaker had never tripped: it counts again from an uncertain state. */
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
    // If it may have tripped before, that may be over earlier, and the next request would be a trial.
    else if (this.#mayTrip(requests, errors)) this.#leaveOpen(at, this.#mode.kind === 'open');
  }

  #tripsSurely(requests: Bounds, errors: Bounds): boolean {
    const { volumeThreshold, errorThreshold } = this.#settings;
    return requests.least >= volumeThreshold && errors.least >= errorThreshold * requests.most;
  }

  /** The fraction of errors is largest with the fewest requests: the threshold, or those that are certain. */
  #mayTrip(requests: Bounds, errors: Bounds): boolean {
    const { volumeThreshold, errorThreshold } = this.#settings;
    const fewest = Math.max(requests.least, volumeThreshold);
    return requests.most >= volumeThreshold && errors.most >= errorThreshold * fewest;
  }
}
