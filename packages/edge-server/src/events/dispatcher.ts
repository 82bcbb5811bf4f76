import type { Delivery, Outbox } from '../store/port/store.ts';
import { backOff } from './back-off.ts';
import { DeliveryError } from './delivery-error.ts';

/** Longer than any delivery may take, so that nothing is sent twice without need. */
const LEASE = 60_000;
const BATCH = 32;
/** How often to look for what other processes have put into the outbox. */
const POLL = 1_000;
/** How many dead letters are kept, and after how many deliveries that is seen to. */
const DEAD_LETTERS_KEPT = 10_000;
const TRIM_EVERY = 1_000;

/** What the dispatcher works with. */
export interface DispatcherOptions {
  readonly outbox: Outbox;
  /** @throws DeliveryError */
  readonly deliver: (delivery: Delivery, signal: AbortSignal) => Promise<void>;
  /** Tries before an event becomes a dead letter. */
  readonly maxTries: number;
  readonly now: () => number;
  /** What happened to a delivery, for logs and metrics. */
  readonly report: (delivery: Delivery, outcome: DeliveryOutcome, reason?: string) => void;
  /** The store failed; the dispatcher goes on later. */
  readonly reportFailure: (error: unknown) => void;
}

/** What became of a try. */
export type DeliveryOutcome = 'delivered' | 'retried' | 'dead';

/** Sends the events of the outbox to their destinations, until it is stopped. */
export interface Dispatcher {
  /** There may be something new to send. */
  readonly wake: () => void;
  /** Ends what it is doing at once; what was not confirmed is sent again later. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a dispatcher. At least once: what was sent but not noted as sent before a crash is sent again. In order for each
 * resource: the outbox hands out one event of it at a time.
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

/** Sends what is due, and gives how long nothing will be, in milliseconds. */
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
