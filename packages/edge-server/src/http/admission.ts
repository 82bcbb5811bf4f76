import { ApiError, refused } from '../api/api-error.ts';
import type { Principal } from '../security/principal.ts';
import { createRateLimiter } from '../security/rate-limiter.ts';
import type { ServerSettings } from '../settings/server-settings.ts';

/** Keeps the server from more work than it can do. */
export interface Admission {
  /** Counts a request in. @throws ApiError when there are too many at a time; it is counted all the same */
  readonly enter: () => void;
  readonly leave: () => void;
  readonly inFlight: () => number;
  /** @throws ApiError when the key has sent too many in a minute */
  readonly pass: (principal: Principal) => void;
}

/** Admission by the limits of the settings; in development, rates are not limited. */
export function createAdmission(
  { maxConcurrent, rateLimit, development }: Pick<ServerSettings, 'maxConcurrent' | 'rateLimit' | 'development'>,
  now: () => number,
): Admission {
  const limit = development ? 0 : rateLimit;
  const limiter = createRateLimiter(limit);
  let inFlight = 0;
  return {
    enter: () => {
      inFlight += 1;
      if (inFlight > maxConcurrent) throw again(refused(225, { limit: maxConcurrent }), 1);
    },
    leave: () => {
      inFlight -= 1;
    },
    inFlight: () => inFlight,
    pass: ({ keyId }) => {
      const wait = limiter.take(keyId, now());
      if (wait !== undefined) throw again(refused(226, { limit }), Math.ceil(wait / 1000));
    },
  };
}

function again({ refusal }: ApiError, retryAfter: number): ApiError {
  return new ApiError(refusal, retryAfter);
}
