/** The clock and randomness of a remote. */
export interface Timing {
  readonly now: () => number;
  /** Resolves after so many milliseconds. */
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

/** Why requests wait: they would exceed the rate, or the server has asked for a pause. */
export type WaitReason = 'rate' | 'server';

/** Is told of long waits, in milliseconds. */
type Announce = (ms: number, reason: WaitReason) => void;

/** Creates a pacer that admits at most `limit` requests in any 60 seconds. */
export function createPacer(limit: number, timing: Timing, announce: Announce = () => undefined): Pacer {
  const sent: number[] = [];
  let pausedUntil = 0;
  const delay = (): readonly [ms: number, reason: WaitReason] => {
    const now = timing.now();
    while (sent.length > 0 && now - sent[0]! >= WINDOW) sent.shift();
    const full = sent.length < limit ? 0 : sent[0]! + WINDOW - now;
    const paused = pausedUntil - now;
    return paused > full ? [paused, 'server'] : [full, 'rate'];
  };
  return {
    take: async () => {
      for (let [ms, reason] = delay(); ms > 0; [ms, reason] = delay()) {
        if (ms >= ANNOUNCED) announce(ms, reason);
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
