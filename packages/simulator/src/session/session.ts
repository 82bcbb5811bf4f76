import { type BreakerSettings, CircuitBreaker } from './circuit-breaker.ts';
import { SlidingWindow, type WindowSettings } from './sliding-window.ts';

/** Whether the upstream was asked, and whether it answered with an error; undefined where that is not known. */
export interface UpstreamAnswer {
  readonly isAsked: boolean | undefined;
  readonly isError: boolean | undefined;
}

/**
 * What actions remember from one exchange to the next: the counters of rate limits and circuit breakers, by the settings of each. Time is
 * that of the traffic and never goes back: an exchange that is earlier than one before is taken to come at the same time.
 */
export class Session {
  readonly #windows = new Map<WindowSettings, SlidingWindow>();
  readonly #breakers = new Map<BreakerSettings, CircuitBreaker>();
  #clock = Number.NEGATIVE_INFINITY;
  #now: number | undefined;
  #awaiting: { readonly breaker: CircuitBreaker; readonly isCertain: boolean }[] = [];
  #late = 0;

  /** Begins an exchange. */
  begin(time: number | undefined): void {
    this.#awaiting = [];
    if (time !== undefined && time < this.#clock) this.#late++;
    if (time !== undefined) this.#clock = Math.max(this.#clock, time);
    this.#now = time === undefined ? undefined : this.#clock;
  }

  /** The time of the exchange that has begun, in ms; undefined when it is not known. */
  get now(): number | undefined {
    return this.#now;
  }

  /** Exchanges that came out of the order of time. */
  get late(): number {
    return this.#late;
  }

  windowOf(settings: WindowSettings): SlidingWindow {
    const window = this.#windows.get(settings) ?? new SlidingWindow(settings);
    this.#windows.set(settings, window);
    return window;
  }

  breakerOf(settings: BreakerSettings): CircuitBreaker {
    const breaker = this.#breakers.get(settings) ?? new CircuitBreaker(settings);
    this.#breakers.set(settings, breaker);
    return breaker;
  }

  /** The breaker lets the exchange pass, or may: it is to be told what the upstream answers. */
  await(breaker: CircuitBreaker, isCertain: boolean): void {
    this.#awaiting.push({ breaker, isCertain });
  }

  /** Ends the exchange. */
  finish({ isAsked, isError }: UpstreamAnswer): void {
    if (isAsked === false) return;
    for (const { breaker, isCertain } of this.#awaiting) {
      breaker.observe(this.#now, isError, isCertain && isAsked === true);
    }
  }
}
