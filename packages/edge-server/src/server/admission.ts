// Whether a request is admitted: load, rate, and callers with wrong keys.

import { isIPv6 } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type Refusal, refused } from '../api-error.ts';
import type { Principal } from '../security/api-keys.ts';
import type { ServerSettings } from '../settings/settings.ts';

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

/** Wrong keys per address and minute that are answered at once. */
const FREE = 20;
const PAUSE = 1_000;
/** The maximum number of responses that wait, so that they cannot occupy the server. */
const MAX_WAITING = 50;

/** The errors for a key that is malformed, unknown, revoked or expired. */
const WRONG_KEY = new Set([202, 203, 208]);
/** Also those for a request without one. */
const NO_VALID_KEY = new Set([200, 201, ...WRONG_KEY]);

/** Slows down callers that try keys. */
export interface WrongKeys {
  /** Returns the error to respond with, after a pause if the address has sent too many wrong keys; other errors are returned at once. */
  readonly judge: (error: Error, address: string) => Error | Promise<Error>;
}

/** Creates the brake, which never affects valid keys: an address may be a proxy that many callers share. */
export function createWrongKeys(isActive: boolean, now: () => number): WrongKeys {
  const limiter = createRateLimiter(isActive ? FREE : 0);
  let waiting = 0;
  return {
    judge: (error, address) => {
      if (!(error instanceof ApiError) || !isWrong(error.refusal, WRONG_KEY)) return error;
      const wait = limiter.take(networkOf(address), now());
      if (wait === undefined) return error;
      const slower = new ApiError({ kind: 'plain', error: 'too-many-wrong-keys' }, Math.ceil(wait / 1000));
      if (waiting >= MAX_WAITING) return slower;
      waiting += 1;
      return delay(PAUSE, slower, { ref: false }).finally(() => {
        waiting -= 1;
      });
    },
  };
}

/** Returns true if the response must name the authentication scheme. */
export function lacksKey(error: unknown): boolean {
  return error instanceof ApiError && isWrong(error.refusal, NO_VALID_KEY);
}

function isWrong(refusal: Refusal, codes: ReadonlySet<number>): boolean {
  return refusal.kind === 'faults' && codes.has(refusal.faults[0].code);
}

/** Returns the address, or for IPv6 the network of 64 bits, which a single host usually has. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = '', tail] = address.split('::').map(part => part.split(':').filter(group => group !== ''));
  const groups = tail === undefined ? [...head] : [...head, ...Array(8 - head.length - tail.length).fill('0'), ...tail];
  return groups.slice(0, 4).join(':');
}

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
