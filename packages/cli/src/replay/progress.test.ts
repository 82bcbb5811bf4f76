import { describe, expect, it } from 'vitest';
import { Progress, progressText } from './progress.ts';

const STATE = { exchanges: 1_234_567, bytes: 25e6, totalBytes: 100e6, elapsedMs: 10_000 };

describe('a progress line', () => {
  it.each([
    [80, STATE, ' 25 %  █████░░░░░░░░░░░░░░░  1,234,567 exchanges  123,457/s  30 s left'],
    [60, STATE, ' 25 %  1,234,567 exchanges  123,457/s  30 s left'],
    [40, STATE, ' 25 %  1,234,567 exchanges'],
    [20, STATE, ' 25 %  1,234,567 exc'],
    [80, { ...STATE, totalBytes: undefined }, '1,234,567 exchanges  123,457/s  25 MB'],
    [80, { ...STATE, bytes: 100e6 }, '100 %  ████████████████████  1,234,567 exchanges  123,457/s'],
    [80, { ...STATE, bytes: 0 }, '  0 %  ░░░░░░░░░░░░░░░░░░░░  1,234,567 exchanges  123,457/s'],
    [80, { ...STATE, elapsedMs: 60_000 }, ' 25 %  █████░░░░░░░░░░░░░░░  1,234,567 exchanges  20,576/s  3 min left'],
    [90, { ...STATE, elapsedMs: 4e6 }, ' 25 %  █████░░░░░░░░░░░░░░░  1,234,567 exchanges  309/s  3 h 20 min left'],
  ])('fits %i columns', (columns, state, line) => {
    expect(progressText(state, columns)).toBe(line);
  });
});

describe('progress', () => {
  function screen() {
    const written: string[] = [];
    const clock = { now: 0 };
    const progress = new Progress({ write: text => written.push(text), columns: 41, now: () => clock.now }, 1000);
    return { written, clock, progress };
  }

  it('is drawn at most ten times a second, and cleared at the end', () => {
    const { written, clock, progress } = screen();
    for (let ms = 400; ms <= 750; ms += 50) {
      clock.now = ms;
      progress.read(100);
      progress.replayed(5);
    }
    progress.clear();
    progress.clear();
    expect(written).toEqual([
      '\r\u001b[K 30 %  15 exchanges  30/s  2 s left',
      '\r\u001b[K 50 %  25 exchanges  42/s  1 s left',
      '\r\u001b[K 70 %  35 exchanges  50/s  1 s left',
      '\r\u001b[K',
    ]);
  });

  it('shows nothing for short replays', () => {
    const { written, clock, progress } = screen();
    clock.now = 499;
    progress.replayed(1000);
    progress.clear();
    expect(written).toEqual([]);
  });
});
