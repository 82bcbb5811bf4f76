import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { CircuitBreaker } from './circuit-breaker.ts';

const SETTINGS = { windowMs: 10_000, buckets: 10, trippedMs: 5000, volumeThreshold: 4, errorThreshold: 0.5 };

/** Runs requests at the given seconds, `!` if the upstream fails, `?` if that is unknown; returns the admissions. */
function admissions(breaker: CircuitBreaker, ...requests: readonly (readonly [second: number, answer: string])[]) {
  return requests.map(([second, answer]) => {
    const admission = breaker.admit(second * 1000);
    if (admission !== 'refused') {
      breaker.observe(second * 1000, answer === '?' ? undefined : answer === '!', admission === 'passes');
    }
    return admission;
  });
}

describe('a circuit breaker', () => {
  it('trips at the error threshold once there are enough requests in its window', () => {
    const few = [0, 1, 2].map(second => [second, '!'] as const);
    expect(admissions(new CircuitBreaker(SETTINGS), ...few, [3, 'ok'], [4, 'ok'])).toEqual([
      ...['passes', 'passes', 'passes', 'passes'],
      'refused',
    ]);
    // The first two have left the window when the others arrive.
    expect(admissions(new CircuitBreaker(SETTINGS), ...few.slice(0, 2), [11, '!'], [12, 'ok'], [13, 'ok'])).toEqual(
      Array.from({ length: 5 }, () => 'passes'),
    );
  });

  it('lets one request pass as a trial, and trips again if that fails', () => {
    const breaker = new CircuitBreaker(SETTINGS);
    admissions(breaker, [0, '!'], [0, '!'], [0, '!'], [0, '!']);
    expect(admissions(breaker, [4.9, 'ok'], [5, '!'], [9.9, 'ok'], [10, 'ok'], [10, '!'], [10, '!'])).toEqual([
      ...['refused', 'passes', 'refused', 'passes', 'passes', 'passes'],
    ]);
  });

  it('may have tripped if statuses are unknown, until its window is over', () => {
    const breaker = new CircuitBreaker(SETTINGS);
    expect(admissions(breaker, [0, '!'], [0, '?'], [0, 'ok'], [0, 'ok'], [4, 'ok'], [5, 'ok'], [30, 'ok'])).toEqual([
      ...['passes', 'passes', 'passes', 'passes'],
      ...['open', 'open', 'passes'],
    ]);
  });

  it('may be in a trial while it may have tripped a second time', () => {
    const requests = [
      [0, '!'],
      [0, '?'],
      [0, 'ok'],
      [5.2, 'ok'],
      [8.2, 'ok'],
      [11.2, '!'],
      [14, 'ok'],
    ] as const;
    expect(admissions(new CircuitBreaker(SETTINGS), ...requests).slice(4)).toEqual(['open', 'open', 'open']);
  });

  it('never contradicts the full picture when only a part is known', () => {
    const request = fc.record({
      after: fc.constantFrom(0, 400, 1100, 3000, 5200, 11_000),
      isError: fc.boolean(),
      hides: fc.boolean(),
      comes: fc.boolean(),
      hidesComing: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(request, { minLength: 8, maxLength: 60 }),
        fc.constantFrom(1, 3, 4),
        (all, volumeThreshold) => {
          const settings = { ...SETTINGS, volumeThreshold };
          const [whole, partial] = [new CircuitBreaker(settings), new CircuitBreaker(settings)];
          let at = 0;
          for (const { after, isError, hides, comes, hidesComing } of all) {
            at += after;
            const isThere = comes || !hidesComing;
            const claim = partial.admit(at);
            if (isThere) expect([whole.admit(at), 'open']).toContain(claim);
            if (isThere && whole.admit(at) === 'passes') whole.observe(at, isError, true);
            const isCertain = claim === 'passes' && !hidesComing;
            if (claim !== 'refused') partial.observe(at, hides ? undefined : isError, isCertain);
          }
        },
      ),
      { numRuns: inject('isDeep') ? 2000 : 500 },
    );
  });
});
