import { describe, expect, it } from 'vitest';
import { signWebhook, verifyWebhook } from './signature.ts';

describe('webhook signatures', () => {
  const body = '{"event_id":"ev_1"}';
  const signature = signWebhook('hush', 1_700_000_000, body);

  it('are the HMAC of timestamp and body', () => {
    expect(signature).toBe('v1=e243cb2f2f409162000cd9f1f2bdfcc018eeb7f7b6abc4e3691f6550b537fee8');
  });

  it.each([
    ['as sent', {}, {}, true],
    ['with another body', { body: '{}' }, {}, false],
    ['with another time', { timestamp: '1700000001' }, {}, false],
    ['without a time', { timestamp: '' }, {}, false],
    ['without a signature', { signature: '' }, {}, false],
    ['180 seconds later', {}, { now: 1_700_000_180 }, true],
    ['181 seconds later', {}, { now: 1_700_000_181 }, false],
  ])('are valid %s: %s', (_, changed, freshness, expected) => {
    const received = { body, timestamp: '1700000000', signature, ...changed };
    expect(verifyWebhook('hush', received, { now: 1_700_000_000, tolerance: 180, ...freshness })).toBe(expected);
  });

  it('are invalid with another secret', () => {
    const received = { body, timestamp: '1700000000', signature };
    expect(verifyWebhook('other', received, { now: 1_700_000_000, tolerance: 180 })).toBe(false);
  });
});
