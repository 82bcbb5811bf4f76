import { type BreakerSettings, CircuitBreaker } from './circuit-breaker.ts';
import { SlidingWindow, type WindowSettings } from './sliding-window.ts';

/** Whether the upstream was asked, and whether it responded with an error; undefined if unknown. */
export interface UpstreamAnswer {
  readonly isAsked: boolean | undefined;
  readonly isError: boolean | undefined;
}

/**
 * State that actions keep from one exchange to the next: counters of rate limits and circuit breakers, by their settings. Time is that of the
 * traffic and never goes back: an exchange earlier than a previous one is treated as simultaneous.
 */
export class Session {
  readonly #windows = new Map<WindowSettings, SlidingWindow>();
  readonly #breakers = new Map<BreakerSettings, CircuitBreaker>();
  #clock = Number.NEGATIVE_INFINITY;
  #exchange: { readonly time: number | undefined } = { time: undefined };
  /** Undefined until it is needed: parsing the time of a log line is expensive. */
  #now: { readonly time: number | undefined } | undefined;
  #awaiting: { readonly breaker: CircuitBreaker; readonly isCertain: boolean }[] = [];
  #late = 0;
  /** Why the order of the exchanges is unknown; undefined if it is that of their time. */
  readonly orderFault: string | undefined;

  constructor(orderFault?: string) {
    this.orderFault = orderFault;
  }

  /** Makes an exchange the current one. Its time is read on first use. */
  begin(exchange: { readonly time: number | undefined }): void {
    this.#awaiting = [];
    this.#exchange = exchange;
    this.#now = undefined;
  }

  /** The time of the current exchange, in ms; undefined if unknown. */
  get now(): number | undefined {
    this.#now ??= { time: this.#advance(this.#exchange.time) };
    return this.#now.time;
  }

  #advance(time: number | undefined): number | undefined {
    if (time === undefined || this.orderFault !== undefined) return undefined;
    if (time < this.#clock) this.#late++;
    this.#clock = Math.max(this.#clock, time);
    return this.#clock;
  }

  /** The number of exchanges that counted and were out of order. */
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

  /** The breaker lets the exchange pass, or may: it will be told the upstream's response. */
  await(breaker: CircuitBreaker, isCertain: boolean): void {
    this.#awaiting.push({ breaker, isCertain });
  }

  /** Ends the exchange. */
  finish({ isAsked, isError }: UpstreamAnswer): void {
    if (isAsked === false) return;
    for (const { breaker, isCertain } of this.#awaiting) {
      breaker.observe(this.now, isError, isCertain && isAsked === true);
    }
  }
}
