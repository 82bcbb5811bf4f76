import { expect, it } from 'vitest';
import { withProgress } from './progress-line.ts';

it('shows how many files are done, after a while and not too often, and clears the line', () => {
  const written: string[] = [];
  const clock = { now: 0 };
  const screen = { writeError: (text: string) => void written.push(text), errorColumns: 80 };
  const seen: number[] = [];
  for (const item of withProgress([1, 2, 3, 4], screen, () => clock.now)) {
    seen.push(item);
    clock.now += item === 3 ? 50 : 600;
  }
  expect(seen).toEqual([1, 2, 3, 4]);
  expect(written).toEqual(['\r\u001b[K1 of 4 files', '\r\u001b[K2 of 4 files', '\r\u001b[K']);
});

it('shows nothing without a terminal, and clears the line after an error', () => {
  const written: string[] = [];
  const writeError = (text: string) => void written.push(text);
  expect([...withProgress([1, 2], { writeError }, () => written.length * 1000)]).toEqual([1, 2]);
  const clock = { now: 0 };
  const run = () => {
    for (const item of withProgress([1, 2], { writeError, errorColumns: 9 }, () => clock.now)) {
      clock.now += 1000;
      if (item === 2) throw new Error('x');
    }
  };
  expect(run).toThrow('x');
  expect(written).toEqual(['\r\u001b[K1 of 2 f', '\r\u001b[K']);
});
