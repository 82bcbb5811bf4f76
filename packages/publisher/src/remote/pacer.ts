/** The clock and randomness of a remote. */
export interface Timing {
  readonly now: () => number;
  /** Resolves after so many milliseconds, and at once when the run is interrupted. */
  readonly wait: (ms: number) => Promise<void>;
  /** A number from 0 to 1. */
  readonly random: () => number;
}

/** Keeps the requests of all workers within the rate of the API. */
export interface Pacer {
  /** Resolves when the next request may be sent, and counts it. */
  readonly take: () => Promise<void>;
  /** Lets no request pass for so many milliseconds. */
  readonly pause: (ms: number) => void;
}

const WINDOW = 60_000;

/** Creates a pacer that admits at most `limit` requests in any 60 seconds. `announce` is told of long waits, in milliseconds. */
export function createPacer(limit: number, timing: Timing, announce: (ms: number) => void = () => undefined): Pacer {
  const sent: number[] = [];
  let pausedUntil = 0;
  const delay = () => {
    const now = timing.now();
    while (sent.length > 0 && now - sent[0]! >= WINDOW) sent.shift();
    const full = sent.length < limit ? 0 : sent[0]! + WINDOW - now;
    return Math.max(full, pausedUntil - now, 0);
  };
  return {
    take: async () => {
      for (let ms = delay(); ms > 0; ms = delay()) {
        if (ms >= ANNOUNCED) announce(ms);
        await timing.wait(ms);
      }
      sent.push(timing.now());
    },
    pause: ms => {
      pausedUntil = Math.max(pausedUntil, timing.now() + ms);
    },
  };
}

/** Shorter waits are not worth a message. */
const ANNOUNCED = 2000;
