const WINDOW = 60_000;
/** Callers that are remembered; beyond, the one that was longest quiet is forgotten. */
const MAX_CALLERS = 10_000;

/** How often each caller may come. */
export interface RateLimiter {
  /** Counts a request; undefined when it may pass, else after how many milliseconds the next may. */
  readonly take: (caller: string, now: number) => number | undefined;
}

interface Usage {
  /** When the current window began. */
  start: number;
  current: number;
  previous: number;
}

/**
 * At most `limit` requests of a caller in any 60 seconds, counted in two windows: the last one counts for the part of it
 * that is less than a minute ago. 0 is no limit.
 */
export function createRateLimiter(limit: number): RateLimiter {
  if (limit === 0) return { take: () => undefined };
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
  };
}

function moved(usage: Usage | undefined, now: number): Usage {
  if (!usage || now - usage.start >= 2 * WINDOW) return { start: now, current: 0, previous: 0 };
  if (now - usage.start < WINDOW) return usage;
  return { start: usage.start + WINDOW, current: 0, previous: usage.current };
}

/** Until enough of the earlier window is more than a minute ago; when the current one alone is full, until it is the earlier. */
function waiting({ current, previous }: Usage, limit: number, elapsed: number): number {
  const room = limit - 1 - current;
  if (room >= 0 && previous > 0) return Math.max(1, Math.ceil(WINDOW * (1 - room / previous) - elapsed));
  return Math.max(1, Math.ceil(WINDOW - elapsed + WINDOW * (1 - (limit - 1) / current)));
}
