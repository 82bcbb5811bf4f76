import { describe, expect, it } from 'vitest';
import { parseExpiry } from './manage-store.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('the expiry of a key', () => {
  it.each([
    ['90d', '2026-04-01T00:00:00.000Z'],
    ['12h', '2026-01-01T12:00:00.000Z'],
    ['5m', '2026-01-01T00:05:00.000Z'],
    ['2031-12-31', '2031-12-31T00:00:00.000Z'],
    ['2031-12-31T10:00:00Z', '2031-12-31T10:00:00.000Z'],
  ])('is parsed from %s', (text, expected) => {
    expect(new Date(parseExpiry(text, NOW)!).toISOString()).toBe(expected);
  });

  it.each(['soon', '0d', '2025-12-31', '1y', ''])('rejects %j', text => {
    expect(() => parseExpiry(text, NOW)).toThrow(`found \`${text}\``);
  });

  it('is never by default', () => {
    expect(parseExpiry(undefined, NOW)).toBeUndefined();
  });
});
