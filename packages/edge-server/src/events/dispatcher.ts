// Takes events from the outbox and delivers them: leases, retries with back-off, and a circuit per destination.

import type { Delivery, Outbox } from '../store/store.ts';
import { DeliveryError } from './signature.ts';

/** Longer than any delivery, so that no event is sent twice without need. */
const LEASE = 60_000;
/** How many deliveries to a destination run at the same time. */
const PER_DESTINATION = 8;
/** How many events of a resource are sent in a row before those of others have their turn. */
const LONGEST_RUN = 32;
/** How often to check for events from other processes, in milliseconds. */
const POLL = 1_000;
/** How many dead letters are kept, and after how many deliveries the others are deleted. */
const DEAD_LETTERS_KEPT = 10_000;
const TRIM_EVERY = 1_000;

/** The dependencies of a dispatcher. */
interface DispatcherOptions {
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
 * are delivered in order, because only the oldest one is ready. No destination waits for another.
 */
export function startDispatcher(options: DispatcherOptions): Dispatcher {
  const stopping = new AbortController();
  const alarm = createAlarm(stopping.signal);
  const state: State = { options, signal: stopping.signal, lanes: new Map(), running: new Set(), alarm, sinceTrim: 0 };
  const finished = run(state);
  return {
    wake: alarm.ring,
    stop: async () => {
      stopping.abort();
      alarm.ring();
      await finished;
      await Promise.all(state.running);
    },
  };
}

/** Wakes whoever sleeps; if nobody does, the next sleep ends at once. */
interface Alarm {
  readonly ring: () => void;
  readonly sleep: (time: number) => Promise<void>;
}

function createAlarm(signal: AbortSignal): Alarm {
  let wake: () => void = () => undefined;
  let hasRung = false;
  return {
    ring: () => {
      hasRung = true;
      wake();
    },
    sleep: async time => {
      if (!hasRung && !signal.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, time);
        wake = resolve;
        await promise;
        clearTimeout(timer);
      }
      hasRung = false;
    },
  };
}

/** The deliveries to a destination. */
interface Lane {
  running: number;
  circuit: Circuit;
}

interface State {
  readonly options: DispatcherOptions;
  readonly signal: AbortSignal;
  /** By destination; only those that are in use or down. */
  readonly lanes: Map<string, Lane>;
  readonly running: Set<Promise<void>>;
  readonly alarm: Alarm;
  sinceTrim: number;
}

async function run(state: State): Promise<void> {
  const { options, signal, alarm } = state;
  while (!signal.aborted) {
    let wait = POLL;
    try {
      wait = await fillLanes(state);
      if (state.sinceTrim >= TRIM_EVERY) {
        await options.outbox.trim(DEAD_LETTERS_KEPT);
        state.sinceTrim = 0;
      }
    } catch (error) {
      options.reportFailure(error);
    }
    await alarm.sleep(wait);
  }
}

/** Starts the deliveries that are ready and have room, and returns the time until the next ones in milliseconds. */
async function fillLanes(state: State): Promise<number> {
  const { outbox, now } = state.options;
  let wait = POLL;
  for (const { destinationId, readyAt } of await outbox.ready()) {
    const lane = state.lanes.get(destinationId) ?? { running: 0, circuit: WORKING };
    const limit = (isDown(lane.circuit) ? 1 : PER_DESTINATION) - lane.running;
    // A delivery that ends rings the alarm.
    if (limit <= 0 || state.signal.aborted) continue;
    const time = now();
    const start = Math.max(readyAt, lane.circuit.pausedUntil);
    if (start > time) wait = Math.min(wait, start - time);
    else {
      const leased = await outbox.lease({ destinationId, now: time, until: time + LEASE, limit });
      state.lanes.set(destinationId, lane);
      for (const delivery of leased) startDelivery(state, lane, delivery);
      wait = 0;
    }
  }
  return wait;
}

function startDelivery(state: State, lane: Lane, first: Delivery): void {
  lane.running += 1;
  const running = deliverInRow(state, lane, first)
    .catch(state.options.reportFailure)
    .finally(() => {
      lane.running -= 1;
      if (lane.running === 0 && lane.circuit.failures === 0) state.lanes.delete(first.destinationId);
      state.running.delete(running);
      state.alarm.ring();
    });
  state.running.add(running);
}

/** Delivers an event and those that follow it, which saves a commit for each. */
async function deliverInRow(state: State, lane: Lane, first: Delivery): Promise<void> {
  let next: Delivery | undefined = first;
  for (let left = LONGEST_RUN - 1; next && !state.signal.aborted; left -= 1) {
    next = await attempt(state, lane, next, left > 0 && !isDown(lane.circuit));
  }
}

/** Returns the next delivery of the resource, leased, if `goesOn`. */
async function attempt(state: State, lane: Lane, delivery: Delivery, goesOn: boolean): Promise<Delivery | undefined> {
  const { options, signal } = state;
  const { outbox, deliver, now, report } = options;
  state.sinceTrim += 1;
  try {
    await deliver(delivery, signal);
  } catch (error) {
    if (!signal.aborted) await recordFailure(options, lane, delivery, error);
    return undefined;
  }
  lane.circuit = WORKING;
  const next = await outbox.delivered(delivery.seq, goesOn ? now() + LEASE : now());
  report(delivery, 'delivered');
  return goesOn ? next : undefined;
}

async function recordFailure(
  { outbox, maxTries, now, report }: DispatcherOptions,
  lane: Lane,
  delivery: Delivery,
  error: unknown,
): Promise<void> {
  const { seq, attempts } = delivery;
  const isFinal = error instanceof DeliveryError && error.isFinal;
  // A final failure is about the event or the settings, and says nothing about the receiver.
  if (!isFinal) lane.circuit = afterFailure(lane.circuit, now());
  const reason = error instanceof Error ? error.message : String(error);
  const isLast = isFinal || attempts + 1 >= maxTries;
  const retryAt = isLast ? undefined : now() + backOff(attempts + 1);
  await outbox.failed({ seq, error: reason, now: now(), retryAt });
  report(delivery, isLast ? 'dead' : 'retried', reason);
}

const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 3_600_000;

/**
 * Returns the delay in milliseconds after the given number of failures: it doubles each time, up to an hour, minus up to a random quarter,
 * so that deliveries that failed together are not retried together.
 */
export function backOff(failures: number, random: () => number = Math.random): number {
  const delay = Math.min(FIRST_DELAY * 2 ** (failures - 1), LONGEST_DELAY);
  return Math.round(delay * (1 - random() / 4));
}

/** After this many failures in a row, a destination is considered down. */
const FAILURES = 5;
const LONGEST_PAUSE = 60_000;

/**
 * The circuit of a destination. While it is down, one delivery at a time is attempted, after pauses that double each time, so that the
 * waiting events do not use up their attempts.
 */
interface Circuit {
  readonly failures: number;
  /** No attempt before this time, in milliseconds since 1970. */
  readonly pausedUntil: number;
}

/** The circuit of a destination that works. */
const WORKING: Circuit = { failures: 0, pausedUntil: 0 };

/** Returns the circuit after a failure. */
function afterFailure({ failures }: Circuit, now: number): Circuit {
  const count = failures + 1;
  const pause = count < FAILURES ? 0 : Math.min(backOff(count - FAILURES + 1), LONGEST_PAUSE);
  return { failures: count, pausedUntil: now + pause };
}

/** Returns true if a destination is down. */
function isDown({ failures }: Circuit): boolean {
  return failures >= FAILURES;
}
