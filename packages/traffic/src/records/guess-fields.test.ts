import { describe, expect, it } from 'vitest';
import { unreadMembers } from './guess-fields.ts';

/** The members of logs that people write themselves, and what they hold. */
const LOGS: readonly (readonly [name: string, record: Readonly<Record<string, unknown>>, fields: object])[] = [
  [
    'short names',
    { ts: 1_795_000_000, ip: '203.0.113.9', m: 'GET', uri: '/a?b', host: 'e.co', status: 200, ua: 'curl/8' },
    { time: 'ts', client_ip: 'ip', method: 'm', target: 'uri', user_agent: 'ua' },
  ],
  [
    'nested objects',
    {
      '@timestamp': '2026-11-21T10:00:00Z',
      http: { request: { method: 'GET', path: '/a' }, version: 'HTTP/1.1', status_code: 404 },
      client: { address: '2001:db8::1' },
      user_agent: 'curl/8',
    },
    {
      time: '@timestamp',
      client_ip: 'client.address',
      method: 'http.request.method',
      target: 'http.request.path',
      protocol: 'http.version',
      status: 'http.status_code',
    },
  ],
  [
    'a request line',
    { when: '21/Nov/2026:10:00:00 +0000', remote: '203.0.113.9', request: 'GET /a HTTP/1.1', code: 200, bytes: 12 },
    { time: 'when', client_ip: 'remote', request_line: 'request', status: 'code', response_size: 'bytes' },
  ],
  [
    'an object of headers',
    { verb: 'POST', url_full: 'https://e.co/a', url: '', headers: { 'User-Agent': 'curl/8' }, duration: 3 },
    { method: 'verb', request_headers: 'headers' },
  ],
  ['nothing of a request', { level: 'info', msg: 'started', pid: 12 }, {}],
];

describe('a guess of what members hold', () => {
  it.each(LOGS)('goes by their names and values: %s', (_, record, fields) => {
    expect(unreadMembers([record], {}).guess).toEqual(fields);
  });

  it('leaves out what is read, and lists all that is not', () => {
    const [, record] = LOGS[0]!;
    expect(unreadMembers([record], { fields: { method: 'm', time: '' } })).toEqual({
      unread: ['ts', 'ip', 'uri', 'ua'],
      guess: { client_ip: 'ip', target: 'uri', user_agent: 'ua' },
    });
  });

  it('wants all values to be of a kind', () => {
    const records = [
      { m: 'GET', uri: '/a' },
      { m: 'hello', uri: '/b' },
    ];
    expect(unreadMembers(records, {}).guess).toEqual({ target: 'uri' });
  });
});
