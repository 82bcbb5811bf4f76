// Requests per minute and caller.

const WINDOW = 60_000;
/** The maximum number of callers in memory; the least recently active one is evicted. */
const MAX_CALLERS = 10_000;

/** Limits the rate of requests per caller. */
interface RateLimiter {
  /** Counts a request. Returns undefined if it is admitted, otherwise the delay in milliseconds until the next one may be. */
  readonly take: (caller: string, now: number) => number | undefined;
  /** Returns what a caller has left; undefined without a limit. */
  readonly left: (caller: string, now: number) => Allowance | undefined;
}

/** What a caller may still send. */
export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until there is more again. */
  readonly reset: number;
}

interface Usage {
  /** The start of the current window. */
  start: number;
  current: number;
  previous: number;
}

/**
 * Creates a limiter that admits at most `limit` requests per caller in any 60 seconds. It counts in two windows, of which the previous one is
 * weighted by the part that is less than a minute old. 0 means no limit.
 */
export function createRateLimiter(limit: number): RateLimiter {
  if (limit === 0) return { take: () => undefined, left: () => undefined };
  const callers = new Map<string, Usage>();
  return {
    take: (caller, now) => {
      const usage = moved(callers.get(caller), now);
      callers.delete(caller);
      callers.set(caller, usage);
      if (callers.size > MAX_CALLERS) callers.delete(callers.keys().next().value!);
      const elapsed = now - usage.start;
      const weighted = usage.previous * (1 - elapsed / WINDOW);
      if (weighted + usage.current + 1 <= limit) {
        usage.current += 1;
        return undefined;
      }
      return waiting(usage, limit, elapsed);
    },
    left: (caller, now) => {
      const usage = moved(callers.get(caller), now);
      const elapsed = now - usage.start;
      const used = usage.previous * (1 - elapsed / WINDOW) + usage.current;
      const reset = Math.max(1, Math.ceil((WINDOW - elapsed) / 1000));
      return { limit, remaining: Math.max(0, Math.floor(limit - used)), reset };
    },
  };
}

function moved(usage: Usage | undefined, now: number): Usage {
  if (!usage || now - usage.start >= 2 * WINDOW) return { start: now, current: 0, previous: 0 };
  if (now - usage.start < WINDOW) return usage;
  return { start: usage.start + WINDOW, current: 0, previous: usage.current };
}

/** Returns the time until enough of the previous window has expired, or until the current one has become the previous one. */
function waiting({ current, previous }: Usage, limit: number, elapsed: number): number {
  const room = limit - 1 - current;
  if (room >= 0 && previous > 0) return Math.max(1, Math.ceil(WINDOW * (1 - room / previous) - elapsed));
  return Math.max(1, Math.ceil(WINDOW - elapsed + WINDOW * (1 - (limit - 1) / current)));
}
