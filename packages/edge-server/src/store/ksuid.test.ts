import { describe, expect, it } from 'vitest';
import { createKsuidSource, isKsuid } from './ksuid.ts';

describe('identifiers', () => {
  it('have 27 characters that encode the second of their creation', () => {
    const made = createKsuidSource(() => Date.parse('2024-02-16T19:35:32.900Z'))();
    expect(made).toMatch(/^[0-9A-Za-z]{27}$/);
    expect(new Date(ksuidTime(made)).toISOString()).toBe('2024-02-16T19:35:32.000Z');
  });

  it('sort by creation, within a second and when the clock goes back', () => {
    const times = [5, 5, 5, 4, 5, 6, 6, 3, 7];
    let step = 0;
    const source = createKsuidSource(() => 1_700_000_000_000 + times[step++]! * 1000);
    const made = times.map(() => source());
    expect(made.toSorted()).toEqual(made);
    expect(new Set(made).size).toBe(times.length);
  });

  it('sort by creation, however many there are in a second', () => {
    const source = createKsuidSource(() => 1_700_000_000_000);
    const made = Array.from({ length: 20_000 }, source);
    expect(made.filter((id, index) => !isKsuid(id) || (index > 0 && made[index - 1]! >= id))).toEqual([]);
    expect(new Set(made.map(ksuidTime))).toEqual(new Set([1_700_000_000_000]));
  });

  it.each([
    ['0ujtsYcgvSTl8PAuAdqWYSMnLOv', true],
    ['aWgEPTl1tmebfsQzFP4bxwgy80V', true],
    ['aWgEPTl1tmebfsQzFP4bxwgy80W', false],
    ['0ujtsYcgvSTl8PAuAdqWYSMnLO', false],
    ['0ujtsYcgvSTl8PAuAdqWYSMnLO-', false],
  ])('knows whether %s is one: %s', (text, expected) => {
    expect(isKsuid(text)).toBe(expected);
  });
});

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns the creation time of a KSUID in ms: its first 32 of 160 bits count seconds since 2014-05-13T16:53:20Z. */
function ksuidTime(ksuid: string): number {
  const bits = Array.from(ksuid).reduce((value, digit) => value * 62n + BigInt(DIGITS.indexOf(digit)), 0n);
  return (Number(bits >> 128n) + 1_400_000_000) * 1000;
}
