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
  /** Resolves when the next request may be sent, and counts it. Returns when it is sent, for {@link Pacer.slowDown}. */
  readonly take: () => Promise<number>;
  /**
   * Takes in that the server has refused a request because there were too many. Lets no request pass for as long as the server asks, or
   * else for longer each time, and sends further ones more slowly.
   */
  readonly slowDown: (sentAt: number, askedMs: number | undefined) => void;
  /** Takes in that the server has answered. */
  readonly speedUp: () => void;
}

const WINDOW = 60_000;

/** Why requests wait: they would exceed the limit that the user has set, or the server has refused some. */
export type WaitReason = 'rate' | 'server';

/** Is told of long waits, in milliseconds. */
type Announce = (ms: number, reason: WaitReason) => void;

/** The shortest and the longest pause after a refusal for which the server names none. Together, seven of them outlast a minute. */
const PAUSE = { first: 500, longest: 32_000 };

/** How far requests are apart after the first refusal, and at most. */
const GAP = { first: 20, longest: 2000 };

/** By what part the gap shrinks with each answer. */
const RECOVERY = 0.9;

/**
 * Creates a pacer that begins without a pause between requests, and finds out what the server accepts. With a `limit`, it admits at most so
 * many requests in any 60 seconds.
 */
export function createPacer(limit: number | undefined, timing: Timing, announce: Announce = () => undefined): Pacer {
  const sent: number[] = [];
  let [pausedUntil, pausedAt, nextAt] = [0, Number.NEGATIVE_INFINITY, 0];
  let [gap, refusals] = [0, 0];
  const delay = (): readonly [ms: number, reason: WaitReason] => {
    const now = timing.now();
    while (sent.length > 0 && now - sent[0]! >= WINDOW) sent.shift();
    const full = limit === undefined || sent.length < limit ? 0 : sent[0]! + WINDOW - now;
    const paused = Math.max(pausedUntil, nextAt) - now;
    return paused > full ? [paused, 'server'] : [full, 'rate'];
  };
  return {
    take: async () => {
      for (let [ms, reason] = delay(); ms > 0; [ms, reason] = delay()) {
        if (ms >= ANNOUNCED) announce(ms, reason);
        await timing.wait(ms);
      }
      const now = timing.now();
      if (limit !== undefined) sent.push(now);
      nextAt = now + gap;
      return now;
    },
    slowDown: (sentAt, askedMs) => {
      const now = timing.now();
      // What was on its way already says nothing new.
      if (sentAt > pausedAt) {
        pausedAt = now;
        refusals += 1;
        gap = Math.min(Math.max(gap * 2, GAP.first), GAP.longest);
      }
      const ms = askedMs ?? Math.min(PAUSE.first * 2 ** (refusals - 1), PAUSE.longest);
      pausedUntil = Math.max(pausedUntil, now + ms * (askedMs === undefined ? 1 + timing.random() / 8 : 1));
    },
    speedUp: () => {
      refusals = 0;
      gap = gap < 1 ? 0 : gap * RECOVERY;
    },
  };
}

/** Shorter waits are not worth a message. */
const ANNOUNCED = 2000;
