import { isIPv6 } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Refusal } from '../api/api-error.ts';
import { ApiError } from '../api/api-error.ts';
import { createRateLimiter } from '../security/rate-limiter.ts';

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
