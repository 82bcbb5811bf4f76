import { describe, expect, it } from 'vitest';
import { createRateLimiter, networkOf } from './admission.ts';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('counts the wrong keys of `%s` under `%s`', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

describe('the rate limiter', () => {
  it('admits up to the limit per minute and returns the delay for the next request', () => {
    const limiter = createRateLimiter(3);
    expect([0, 1, 2].map(now => limiter.take('a', now))).toEqual([undefined, undefined, undefined]);
    const wait = limiter.take('a', 30_000)!;
    expect(limiter.take('a', 30_000 + wait - 100)).toBeGreaterThan(0);
    expect(limiter.take('a', 30_000 + wait)).toBeUndefined();
  });

  it('counts each caller separately', () => {
    const limiter = createRateLimiter(1);
    expect([limiter.take('a', 0), limiter.take('b', 0)]).toEqual([undefined, undefined]);
    expect(limiter.take('a', 0)).toBeGreaterThan(0);
  });

  it('never admits more than the limit in a minute, and admits requests after the returned delay', () => {
    const limiter = createRateLimiter(10);
    const passed: number[] = [];
    let promised = 0;
    for (let now = 0; now < 600_000; now += 137) {
      const wait = limiter.take('a', now);
      if (now >= promised) expect(wait).toBeUndefined();
      if (wait === undefined) passed.push(now);
      promised = wait === undefined ? Number.POSITIVE_INFINITY : now + wait;
    }
    expect(passed.length).toBeGreaterThan(80);
    expect(passed.length).toBeLessThanOrEqual(110);
  });

  it('says what is left', () => {
    const limiter = createRateLimiter(3);
    expect(limiter.left('a', 0)).toEqual({ limit: 3, remaining: 3, reset: 60 });
    for (const now of [0, 10_000]) limiter.take('a', now);
    expect(limiter.left('a', 15_000)).toEqual({ limit: 3, remaining: 1, reset: 45 });
    for (let count = 0; count < 5; count += 1) limiter.take('a', 20_000);
    expect(limiter.left('a', 20_000)).toEqual({ limit: 3, remaining: 0, reset: 40 });
    expect(limiter.left('a', 75_000)).toEqual({ limit: 3, remaining: 0, reset: 45 });
    expect(limiter.left('a', 180_000)?.remaining).toBe(3);
  });

  it('has no limit at 0', () => {
    const limiter = createRateLimiter(0);
    expect(limiter.left('a', 0)).toBeUndefined();
    for (let count = 0; count < 1000; count += 1) expect(limiter.take('a', 0)).toBeUndefined();
  });
});
