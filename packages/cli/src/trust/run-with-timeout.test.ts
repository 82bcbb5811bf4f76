import { describe, expect, it } from 'vitest';
import { createTimeout } from './run-with-timeout.ts';

describe('the time limit of custom code', () => {
  it('stops an endless loop, and runs the next lint rule', () => {
    const runWithTimeout = createTimeout(1);
    const endless = () => {
      for (;;);
    };
    expect([runWithTimeout(endless), runWithTimeout(() => 7)]).toEqual([
      { isFinished: false },
      { isFinished: true, value: 7 },
    ]);
  });

  it('stops a loop that catches everything', () => {
    const stubborn = () => {
      for (;;) {
        try {
          for (;;);
        } catch {
          // The limit applies again.
        }
      }
    };
    expect(createTimeout(1)(stubborn)).toEqual({ isFinished: false });
  });

  it('stops a regular expression that backtracks', () => {
    expect(createTimeout(1)(() => /^(a+)+$/.test(`${'a'.repeat(60)}b`))).toEqual({ isFinished: false });
  });

  it('passes on what the lint rule throws', () => {
    const error = new TypeError('boom');
    expect(() =>
      createTimeout(1)(() => {
        throw error;
      }),
    ).toThrow(error);
  });
});
