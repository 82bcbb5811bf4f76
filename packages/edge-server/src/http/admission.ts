import { ApiError, refused } from '../api/api-error.ts';
import type { Principal } from '../security/principal.ts';
import { type Allowance, createRateLimiter } from '../security/rate-limiter.ts';
import type { ServerSettings } from '../settings/server-settings.ts';

/** Protects the server from overload. */
export interface Admission {
  /** Counts a request. @throws ApiError if there are too many concurrent requests; the request still counts */
  readonly enter: () => void;
  readonly leave: () => void;
  readonly inFlight: () => number;
  /** Changes the limits; what callers have used in the current minute is forgotten if the rate changes. */
  readonly adjust: (limits: AdmissionLimits) => void;
  /** Counts a request towards the rate of its key. @throws ApiError if it has exceeded its rate limit */
  readonly pass: (principal: Principal) => void;
  /** Returns what a key may still send; undefined without a limit. */
  readonly left: (principal: Principal) => Allowance | undefined;
  /** Counts a request of a key. @throws ApiError if it has too many at the same time; the request still counts */
  readonly hold: (principal: Principal) => void;
  readonly release: (principal: Principal) => void;
}

/** The part of the concurrent requests that one key may have: bodies that arrive slowly leave room for other keys. */
const SHARE = 0.8;

/** The limits of admission. In development, rates are not limited. */
type AdmissionLimits = Pick<ServerSettings, 'maxConcurrent' | 'rateLimit' | 'development'>;

/** Creates admission control with the configured limits. In development, rates are not limited. */
export function createAdmission(limits: AdmissionLimits, now: () => number): Admission {
  let { maxConcurrent } = limits;
  let limit = rateOf(limits);
  let limiter = createRateLimiter(limit);
  let inFlight = 0;
  const held = new Map<string, number>();
  return {
    enter: () => {
      inFlight += 1;
      if (inFlight > maxConcurrent) throw retryLater(refused(225, { limit: maxConcurrent }), 1);
    },
    leave: () => {
      inFlight -= 1;
    },
    inFlight: () => inFlight,
    adjust: next => {
      maxConcurrent = next.maxConcurrent;
      if (rateOf(next) === limit) return;
      limit = rateOf(next);
      limiter = createRateLimiter(limit);
    },
    pass: ({ keyId }) => {
      const wait = limiter.take(keyId, now());
      if (wait !== undefined) throw retryLater(refused(226, { limit }), Math.ceil(wait / 1000));
    },
    left: ({ keyId }) => limiter.left(keyId, now()),
    hold: ({ keyId }) => {
      const count = (held.get(keyId) ?? 0) + 1;
      held.set(keyId, count);
      const most = Math.max(1, Math.floor(maxConcurrent * SHARE));
      if (count > most) throw retryLater(refused(225, { limit: most }), 1);
    },
    release: ({ keyId }) => {
      const count = (held.get(keyId) ?? 0) - 1;
      if (count > 0) held.set(keyId, count);
      else held.delete(keyId);
    },
  };
}

function rateOf({ development, rateLimit }: AdmissionLimits): number {
  return development ? 0 : rateLimit;
}

function retryLater({ refusal }: ApiError, retryAfter: number): ApiError {
  return new ApiError(refusal, retryAfter);
}
