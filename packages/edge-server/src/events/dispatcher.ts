import type { Delivery, Outbox } from '../store/port/store.ts';
import { backOff } from './back-off.ts';
import { DeliveryError } from './delivery-error.ts';

/** Longer than any delivery, so that no event is sent twice without need. */
const LEASE = 60_000;
const BATCH = 32;
/** How often to check for events from other processes, in milliseconds. */
const POLL = 1_000;
/** How many dead letters are kept, and after how many deliveries the others are deleted. */
const DEAD_LETTERS_KEPT = 10_000;
const TRIM_EVERY = 1_000;

/** The dependencies of a dispatcher. */
export interface DispatcherOptions {
  readonly outbox: Outbox;
  /** @throws DeliveryError */
  readonly deliver: (delivery: Delivery, signal: AbortSignal) => Promise<void>;
  /** The number of attempts before an event becomes a dead letter. */
  readonly maxTries: number;
  readonly now: () => number;
  /** Reports the outcome of an attempt, for logs and metrics. */
  readonly report: (delivery: Delivery, outcome: DeliveryOutcome, reason?: string) => void;
  /** Reports a failure of the store, after which the dispatcher retries. */
  readonly reportFailure: (error: unknown) => void;
}

/** The outcome of an attempt. */
export type DeliveryOutcome = 'delivered' | 'retried' | 'dead';

/** Sends the events of the outbox to their destinations until stopped. */
export interface Dispatcher {
  /** Signals that there may be new events. */
  readonly wake: () => void;
  /** Aborts deliveries in progress; unconfirmed events are sent again later. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a dispatcher. Delivery is at least once: an event sent but not recorded as sent before a crash is sent again. Events of a resource
 * are delivered in order, because the outbox leases one at a time.
 */
export function startDispatcher(options: DispatcherOptions): Dispatcher {
  const stopping = new AbortController();
  let wake: () => void = () => undefined;
  let isAwake = true;
  const sleep = async (time: number): Promise<void> => {
    if (isAwake || stopping.signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, time);
    wake = resolve;
    await promise;
    clearTimeout(timer);
  };
  const run = async (): Promise<void> => {
    const sinceTrim = { count: 0 };
    while (!stopping.signal.aborted) {
      isAwake = false;
      const wait = await round(options, stopping.signal, sinceTrim);
      await sleep(wait);
    }
  };
  const finished = run();
  const rouse = () => {
    isAwake = true;
    wake();
  };
  return {
    wake: rouse,
    stop: async () => {
      stopping.abort();
      rouse();
      await finished;
    },
  };
}

/** Sends deliveries that are due and returns the time until the next ones in milliseconds. */
async function round(options: DispatcherOptions, signal: AbortSignal, sinceTrim: { count: number }): Promise<number> {
  const { outbox, now, reportFailure } = options;
  try {
    const deliveries = await outbox.lease({ now: now(), until: now() + LEASE, limit: BATCH });
    await Promise.all(deliveries.map(delivery => attempt(options, delivery, signal)));
    sinceTrim.count += deliveries.length;
    if (sinceTrim.count >= TRIM_EVERY) {
      await outbox.trim(DEAD_LETTERS_KEPT);
      sinceTrim.count = 0;
    }
    if (deliveries.length > 0) return 0;
    const due = (await outbox.nextDue()) ?? Number.POSITIVE_INFINITY;
    return Math.min(Math.max(due - now(), 0), POLL);
  } catch (error) {
    reportFailure(error);
    return POLL;
  }
}

async function attempt(options: DispatcherOptions, delivery: Delivery, signal: AbortSignal): Promise<void> {
  const { outbox, deliver, maxTries, now, report } = options;
  const { seq, attempts } = delivery;
  try {
    await deliver(delivery, signal);
  } catch (error) {
    if (signal.aborted) return;
    const reason = error instanceof Error ? error.message : String(error);
    const isLast = attempts + 1 >= maxTries || (error instanceof DeliveryError && error.isFinal);
    const retryAt = isLast ? undefined : now() + backOff(attempts + 1);
    await outbox.failed({ seq, error: reason, now: now(), retryAt });
    report(delivery, isLast ? 'dead' : 'retried', reason);
    return;
  }
  await outbox.delivered(seq);
  report(delivery, 'delivered');
}
