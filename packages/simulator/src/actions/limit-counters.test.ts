import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { CircuitBreaker, SlidingWindow } from './limit-counters.ts';

const MINUTE = { windowMs: 60_000, capacity: 2 };

describe('a sliding window', () => {
  it('admits its capacity per key and window, and reports when there is room again', () => {
    const window = new SlidingWindow(MINUTE);
    const seconds = [0, 10, 20, 59, 60, 61, 70, 300];
    const verdicts = seconds.map(at => window.take('a', at * 1000, true));
    expect(verdicts.map(({ kind, counted, retryAfterMs }) => [kind, counted.least, retryAfterMs / 1000])).toEqual([
      ['passes', 0, 0],
      ['passes', 1, 0],
      ['limited', 2, 40],
      ['limited', 2, 1],
      ['passes', 1, 0],
      ['limited', 2, 9],
      ['passes', 1, 0],
      ['passes', 0, 0],
    ]);
    expect(window.take('b', 300_000, true).kind).toBe('passes');
  });

  it('has bounds if it is unknown whether a request arrived, when, or with which key', () => {
    const window = new SlidingWindow(MINUTE);
    expect(window.take('a', 0, false).kind).toBe('passes');
    expect(window.take('a', 0, true)).toMatchObject({ kind: 'passes', counted: { least: 0, most: 1 } });
    expect(window.take('a', 0, true)).toMatchObject({ kind: 'open', counted: { least: 1, most: 2 } });
    expect(window.take('b', 0, true).kind).toBe('passes');
    expect(window.take(undefined, 0, true).kind).toBe('open');
    expect(window.take('b', 0, true)).toMatchObject({ kind: 'open', counted: { least: 1, most: 2 } });
    expect(window.take('b', 60_000, true)).toMatchObject({ kind: 'passes', counted: { least: 0, most: 0 } });
    expect(window.take('b', undefined, true).kind).toBe('open');
    expect(window.take('b', 600_000, true)).toMatchObject({ counted: { least: 0, most: 1 } });
  });

  it('counts a number of keys separately, and bounds the others', () => {
    const window = new SlidingWindow({ ...MINUTE, capacity: 3, maxKeys: 1000 });
    for (let key = 0; key < 2000; key++) window.take(`key ${key}`, 0, true);
    expect(window.take('key 0', 1, true)).toMatchObject({ kind: 'passes', counted: { least: 0, most: 1 } });
    expect(window.take('key 1999', 1, true)).toMatchObject({ kind: 'passes', counted: { least: 1, most: 1 } });
    for (let key = 2000; key < 200_000; key++) window.take(`key ${key}`, 2, true);
    expect(window.size).toBe(1000);
    expect(window.take('key 5', 3, true)).toMatchObject({ kind: 'open', counted: { least: 0, most: 3 } });
    expect(window.take('key 1', 60_003, true)).toMatchObject({ counted: { least: 0, most: 0 } });
    expect(window.size).toBe(1);
  });

  it('bounds a key that is dropped repeatedly', () => {
    const window = new SlidingWindow({ ...MINUTE, maxKeys: 1 });
    const verdicts = ['a', 'b', 'a', 'b', 'a', 'b'].map(key => window.take(key, 0, true));
    expect(verdicts.map(({ kind, counted }) => [kind, counted.least, counted.most])).toEqual([
      ['passes', 0, 0],
      ['passes', 0, 0],
      ['passes', 0, 1],
      ['passes', 0, 1],
      ['open', 0, 2],
      ['open', 0, 2],
    ]);
  });

  it('never contradicts the full picture when only a part is known', () => {
    const request = fc.record({
      key: fc.constantFrom('a', 'b', 'c'),
      after: fc.constantFrom(0, 500, 7000, 25_000, 61_000),
      comes: fc.boolean(),
      hidesKey: fc.boolean(),
      hidesTime: fc.boolean(),
      hidesComing: fc.boolean(),
    });
    const requests = fc.array(request, { minLength: 5, maxLength: 60 });
    fc.assert(
      fc.property(requests, fc.constantFrom(1, 3), fc.constantFrom(1, 2, 1000), (all, capacity, maxKeys) => {
        const [whole, partial] = [
          new SlidingWindow({ ...MINUTE, capacity }),
          new SlidingWindow({ ...MINUTE, capacity, maxKeys }),
        ];
        let at = 0;
        for (const { key, after, comes, hidesKey, hidesTime, hidesComing } of all) {
          at += after;
          const isThere = comes || !hidesComing;
          const truth = isThere ? whole.take(key, at, true).kind : undefined;
          const claim = partial.take(hidesKey ? undefined : key, hidesTime ? undefined : at, !hidesComing).kind;
          if (truth !== undefined) expect([truth, 'open']).toContain(claim);
        }
      }),
      { numRuns: inject('isDeep') ? 500 : 150 },
    );
  });
});

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
