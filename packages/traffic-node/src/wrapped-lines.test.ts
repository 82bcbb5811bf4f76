import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { ReadTrafficOptions } from '@tollgate/traffic';
import { describe, expect, it } from 'vitest';
import { readTraffic } from './read-traffic.ts';

const LINE = '203.0.113.9 - - [21/Nov/2026:10:00:00 +0000] "GET /\u00e4?b HTTP/1.1" 200 5 "-" "curl/8"';
const ERROR = '2026/11/21 10:00:00 [error] 7#7: *1 open() failed';
const TIME = '2026-11-21T10:00:00.123456789Z';
const docker = (log: string, stream = 'stdout') => JSON.stringify({ log, stream, time: TIME });

async function read(text: string | Buffer, options: ReadTrafficOptions = {}) {
  async function* content() {
    // In pieces, as from a pipe.
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
  }
  const found: unknown[] = [];
  const skipped: unknown[] = [];
  for await (const batch of readTraffic('a.log', { ...options, content: content() })) {
    found.push(...batch.exchanges.map(({ place, clientIp, target }) => [place.number, clientIp, target]));
    skipped.push(...batch.skipped.map(({ place, reason }) => [place.number, reason]));
  }
  return { found, skipped };
}

const FOUND = [1, '203.0.113.9', '/\u00e4?b'];

describe('a line wrapped by a log collector', () => {
  it.each([
    ['Docker', docker(`${LINE}\n`)],
    [
      'Docker, with labels',
      JSON.stringify({ log: `${LINE}\r\n`, stream: 'stdout', attrs: { tag: 'web' }, time: TIME }),
    ],
    ['journald', JSON.stringify({ MESSAGE: LINE, _PID: '7', __REALTIME_TIMESTAMP: '1' })],
    ['Google Cloud', JSON.stringify({ insertId: 'a', textPayload: LINE, timestamp: TIME })],
    ['Filebeat', JSON.stringify({ '@timestamp': TIME, message: LINE, host: { name: 'web1' } })],
    ['CRI', `${TIME} stdout F ${LINE}`],
    ['CRI with a zone', `2026-11-21T10:00:00.1+01:00 stdout F ${LINE}`],
    ['CRI with tags', `${TIME} stdout F:a=b ${LINE}`],
    ['syslog', `<190>Nov 21 10:00:00 web1 nginx: ${LINE}`],
    ['syslog with a day of one digit', `<190>Nov  1 10:00:00 web1 nginx: ${LINE}`],
    ['syslog without a host', `<190>Nov 21 10:00:00 nginx: ${LINE}`],
    ['syslog in a file', `Nov 21 10:00:00 web1 nginx[7]: ${LINE}`],
    ['syslog with a precise time', `2026-11-21T10:00:00.000001+00:00 web1 nginx: ${LINE}`],
    ['journalctl', `2026-11-21T10:00:00+0000 web1 nginx[7]: ${LINE}`],
    ['RFC 5424', `<190>1 ${TIME} web1 nginx 7 - - ${LINE}`],
    ['RFC 5424 with structured data', `<190>1 ${TIME} web1 nginx 7 a [b@1 c="] \\"" d="e"][f@1] \ufeff${LINE}`],
    ['RFC 5424 with its length', `170 <190>1 ${TIME} web1 nginx 7 - - ${LINE}`],
    ['docker compose', `web-1  | ${LINE}`],
    ['kubectl with a prefix', `[pod/web-1/nginx] ${LINE}`],
    ['kubectl with times', `${TIME} ${LINE}`],
    ['nothing', LINE],
  ])('is read: by %s', async (_, line) => {
    for (const text of [line, `${line}\n`, `\ufeff${line}\n`]) {
      expect(await read(text)).toEqual({ found: [FOUND], skipped: [] });
    }
    for (const compress of [gzipSync, zstdCompressSync]) {
      expect(await read(compress(`${line}\n`))).toEqual({ found: [FOUND], skipped: [] });
    }
  });

  it('may occur among others, and keeps its number', async () => {
    const text = [docker(`${ERROR}\n`, 'stderr'), docker(`${LINE}\n`), '{"log":', docker(`${LINE}\n`), ''].join('\n');
    expect(await read(text)).toEqual({
      found: [
        [2, ...FOUND.slice(1)],
        [4, ...FOUND.slice(1)],
      ],
      skipped: [
        [1, 'traffic/malformed-line'],
        [3, 'traffic/malformed-line'],
      ],
    });
  });

  it('may be in several parts, with the other stream between them', async () => {
    const parts = [
      `stdout P ${LINE.slice(0, 30)}`,
      `stderr F ${ERROR}`,
      `stdout P ${LINE.slice(30, 60)}`,
      `stdout F ${LINE.slice(60)}`,
    ];
    const cri = [...parts, `stdout F ${LINE}`].map(part => `${TIME} ${part}\n`).join('');
    expect(await read(cri)).toEqual({
      found: [
        [4, ...FOUND.slice(1)],
        [5, ...FOUND.slice(1)],
      ],
      skipped: [[2, 'traffic/malformed-line']],
    });
    const long = LINE.replace('curl/8', 'x'.repeat(20_000));
    const pieces = [docker(`${LINE}\n`), docker(long.slice(0, 16_384)), docker(`${long.slice(16_384)}\n`)];
    expect((await read(pieces.join('\n'))).found).toEqual([FOUND, [3, ...FOUND.slice(1)]]);
  });

  it('is skipped if it is too long, without being buffered', async () => {
    const long = docker(`${'x'.repeat(9000)}\n`);
    const text = [docker(`${LINE}\n`), long, docker(`${LINE}\n`)].join('\n');
    const { found, skipped } = await read(text, { limits: { maxLineLength: 1000 } });
    expect(found).toEqual([FOUND, [3, ...FOUND.slice(1)]]);
    expect(skipped).toEqual([[2, 'traffic/line-too-long']]);
  });

  it('is not looked for in records that are requests themselves, or are mapped', async () => {
    const own = JSON.stringify({ client_ip: '192.0.2.1', target: '/own', message: LINE });
    expect(await read(own)).toEqual({ found: [[1, '192.0.2.1', '/own']], skipped: [] });
    const mapped = await read(JSON.stringify({ a: '/mapped', message: LINE }), {
      mapping: { fields: { target: 'a' } },
    });
    expect(mapped.found).toEqual([[1, undefined, '/mapped']]);
  });

  it('may be in the given format, wrapped or not', async () => {
    const logFormat = '$remote_addr "$request_uri"';
    expect((await read(`web-1  | 203.0.113.9 "/a"\n`, { logFormat })).found).toEqual([[1, '203.0.113.9', '/a']]);
    const withPrefix = 'web-1  | $remote_addr "$request_uri"';
    expect((await read(`web-1  | 203.0.113.9 "/a"\n`, { logFormat: withPrefix })).found).toEqual([
      [1, '203.0.113.9', '/a'],
    ]);
    expect((await read(docker('{"target":"/a"}\n'), { format: 'json-lines' })).found).toEqual([[1, undefined, '/a']]);
  });
});

describe('a file of unknown format', () => {
  it.each([
    [
      LINE.replace('"GET /\u00e4?b HTTP/1.1"', 'GET /'),
      '`access-log`, which line 1 breaks: at column 46, expected a request in quotes, such as `"GET / HTTP/1.1"`, found `GET / 200 5 ',
    ],
    [
      LINE.replace('21/Nov/2026:10:00:00 +0000', '2026-11-21T10:00:00Z'),
      '`access-log`, which line 1 breaks: at column 17, expected a time such as `[21/Nov/2026:10:00:00 +0000]`, found `[2026-11-21T10',
    ],
    [`\n${LINE.replace(' 200 5', ' OK')}`, '`access-log`, which line 2 breaks: at column '],
    [
      LINE.slice(0, 44),
      '`access-log`, which line 1 breaks: at column 17, expected a time such as `[21/Nov/2026:10:00:00 +0000]`, found `[21/Nov',
    ],
    [
      '10.0.1.2:33317 [06/Feb/2009:12:14:14.655] http-in static/srv1 10/0/30 200 2750',
      '`haproxy`, which line 1 breaks: at column 63, expected five timers, such as `0/0/1/2/3`, found `10/0/30 200 2750`',
    ],
    ['{"method": "GET",, }', '`json-lines`, but line 1 is not valid JSON at column 18'],
  ])('is compared with the closest format: %s', async (text, message) => {
    await expect(read(text)).rejects.toThrow(`is not recorded traffic: the closest format is ${message}`);
  });
});
