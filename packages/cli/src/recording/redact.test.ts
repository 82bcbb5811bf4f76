import { type Exchange, type HeaderField, TLS_UNKNOWN } from '@tollgate/traffic';
import { describe, expect, it } from 'vitest';
import { type Redactions, redact } from './redact.ts';

const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2VjcmV0';
const NOTHING: Redactions = { named: new Set(), kept: new Set(), clients: false };

const exchange = (target: string, fields: readonly HeaderField[] = []): Exchange => ({
  ...{ place: { file: 'a.log', number: 1, unit: 'line' }, time: 0, clientIp: '203.0.113.9', tls: TLS_UNKNOWN },
  ...{ method: 'GET', target, url: `https://ada:pass@a.example${target}`, protocol: undefined },
  requestHeaders: { fields, absent: ['origin'], complete: true, withheld: [] },
  response: undefined,
});

const redactedHeader = (name: string, value: string, options: Partial<Redactions> = {}) =>
  redact(exchange('/', [{ name, value }]), { ...NOTHING, ...options }).requestHeaders.fields[0]?.value;

describe('redaction', () => {
  it.each([
    ['Authorization', 'Bearer abc', 'Bearer REDACTED'],
    ['authorization', 'abc', 'REDACTED'],
    ['Proxy-Authorization', 'Basic YTpi', 'Basic REDACTED'],
    ['X-Auth-Token', 'abc', 'REDACTED'],
    ['X-API-Key', 'abc', 'REDACTED'],
    ['X-Amz-Security-Token', 'abc', 'REDACTED'],
    ['Cookie', 'id=1; theme=dark; flag', 'id=REDACTED; theme=REDACTED; flag'],
    ['Set-Cookie', 'id=1; Path=/; HttpOnly', 'id=REDACTED; Path=/; HttpOnly'],
    ['Referer', 'https://b.example/?q=1&token=abc', 'https://b.example/?q=1&token=REDACTED'],
    ['X-Other', `a ${TOKEN} b`, 'a REDACTED b'],
    ['User-Agent', 'Mozilla/5.0', 'Mozilla/5.0'],
    ['Accept', '*/*', '*/*'],
  ])('of %s: %s', (name, value, expected) => {
    expect(redactedHeader(name, value)).toBe(expected);
  });

  it('of headers that are named, except for those to keep', () => {
    expect(redactedHeader('X-User', 'ada', { named: new Set(['x-user']) })).toBe('REDACTED');
    expect(redactedHeader('X-CSRF-Token', 'abc', { kept: new Set(['x-csrf-token']) })).toBe('abc');
  });

  it.each([
    ['/a?q=1&token=abc&Api_Key=x#f', '/a?q=1&token=REDACTED&Api_Key=REDACTED#f'],
    ['/a?code=1&key=2&keyword=3&flag', '/a?code=REDACTED&key=REDACTED&keyword=3&flag'],
    [`/reset/${TOKEN}/x`, '/reset/REDACTED/x'],
    ['/plain', '/plain'],
    ['*', '*'],
  ])('of the target %s', (target, expected) => {
    expect(redact(exchange(target), NOTHING).target).toBe(expected);
  });

  it('of passwords in URLs, and of addresses if asked to', () => {
    expect(redact(exchange('/'), NOTHING)).toMatchObject({ url: 'https://a.example/', clientIp: '203.0.113.9' });
    expect(redact(exchange('/'), { ...NOTHING, clients: true }).clientIp).toBe('192.0.2.1');
  });

  it('keeps what is known to be absent', () => {
    expect(redact(exchange('/'), NOTHING).requestHeaders).toMatchObject({ absent: ['origin'], complete: true });
  });
});
