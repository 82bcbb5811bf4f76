import { describe, expect, it } from 'vitest';
import { parseExpiry } from './expiry.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('when a key expires', () => {
  it.each([
    ['90d', '2026-04-01T00:00:00.000Z'],
    ['12h', '2026-01-01T12:00:00.000Z'],
    ['5m', '2026-01-01T00:05:00.000Z'],
    ['2031-12-31', '2031-12-31T00:00:00.000Z'],
    ['2031-12-31T10:00:00Z', '2031-12-31T10:00:00.000Z'],
  ])('is read from %s', (text, expected) => {
    expect(new Date(parseExpiry(text, NOW)!).toISOString()).toBe(expected);
  });

  it.each(['soon', '0d', '2025-12-31', '1y', ''])('is not %j', text => {
    expect(() => parseExpiry(text, NOW)).toThrow(`found \`${text}\``);
  });

  it('is never, when it is not said', () => {
    expect(parseExpiry(undefined, NOW)).toBeUndefined();
  });
});
