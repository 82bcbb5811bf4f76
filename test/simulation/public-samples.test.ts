import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Exchange } from '@tollgate/traffic';
import { readTraffic } from '@tollgate/traffic-node';
import { afterAll, expect, it } from 'vitest';

// Logs as people publish them, with the members, columns and spellings of the programs that write them: each is read right, or the message says
// what to do. The values are made up.

const folder = mkdtempSync(join(tmpdir(), 'tollgate-samples-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function exchangesIn(content: string): Promise<readonly Exchange[]> {
  const file = join(folder, 'sample');
  writeFileSync(file, content);
  const found: Exchange[] = [];
  for await (const { exchanges, skipped } of readTraffic(file)) {
    expect(skipped).toEqual([]);
    found.push(...exchanges);
  }
  return found;
}

const COMBINED = '198.51.100.7 - - [21/Nov/2026:10:00:00 +0000] "GET /books?page=2 HTTP/1.1" 200 612 "-" "curl/8.5.0"';
const NGINX = JSON.stringify({
  ...{ time_local: '21/Nov/2026:10:00:00 +0000', remote_addr: '198.51.100.7', remote_user: '' },
  ...{ request: 'GET /books?page=2 HTTP/1.1', status: '200', body_bytes_sent: '612', request_time: '0.004' },
  ...{ http_referrer: '', http_user_agent: 'curl/8.5.0' },
});
const CADDY = JSON.stringify({
  request: {
    ...{ remote_ip: '198.51.100.7', remote_port: '41342', client_ip: '198.51.100.7', proto: 'HTTP/2.0' },
    ...{ method: 'GET', host: 'e.co', uri: '/books?page=2', headers: { 'User-Agent': ['curl/8.5.0'] } },
    tls: { resumed: false, version: 772, cipher_suite: 4865, proto: 'h2', server_name: 'e.co' },
  },
  ...{ bytes_read: 0, user_id: '', duration: 0.000929, size: 10900, status: 200 },
  resp_headers: { Server: ['Caddy'], 'Content-Type': ['text/html'] },
});
const CADDY_CONSOLE = `2026/11/21 10:00:00.123\tINFO\thttp.log.access.log0\thandled request\t${CADDY}`;
const CLOUDFRONT = [
  ...['1795255200.123', '198.51.100.7', '0.002', '200', '15774', 'GET', 'https', 'd111.cloudfront.net', '/books'],
  ...['345', 'SFO5-C1', 'abc==', 'e.co', '0.001', 'HTTP/2.0', 'IPv4', 'curl/8.5.0', '-', '-', 'page=2', 'Hit', '-'],
].join('\t');
const CLOUDFRONT_FIELDS =
  '#Fields: timestamp(ms) c-ip time-to-first-byte sc-status sc-bytes cs-method cs-protocol cs-host cs-uri-stem cs-bytes x-edge-location ' +
  'x-edge-request-id x-host-header time-taken cs-protocol-version c-ip-version cs-user-agent cs-referer cs-cookie cs-uri-query ' +
  'x-edge-response-result-type x-forwarded-for';
const ELB =
  '2026-11-21T10:00:00.945958Z my-elb 198.51.100.7:2817 10.0.0.1:80 0.000073 0.001048 0.000057 200 200 0 29 ' +
  '"GET http://www.example.com:80/books?page=2 HTTP/1.1" "curl/7.38.0" - -';

interface Written {
  readonly creator: object;
  readonly time: string;
  readonly entry?: object;
  readonly httpVersion?: string;
  readonly indent?: number;
}

function har({ creator, time, entry = {}, httpVersion = 'HTTP/2', indent = 0 }: Written): string {
  const request = {
    ...{ method: 'GET', url: 'https://e.co/books?page=2', httpVersion, cookies: [], headersSize: -1, bodySize: 0 },
    headers: [{ name: 'User-Agent', value: 'curl/8.5.0' }],
    queryString: [{ name: 'page', value: '2' }],
  };
  const response = {
    ...{ status: 200, statusText: 'OK', httpVersion, cookies: [], redirectURL: '', headersSize: -1, bodySize: 10 },
    ...{ headers: [{ name: 'content-type', value: 'text/html' }], content: { mimeType: 'text/html', size: 10 } },
  };
  const timings = { send: 0, wait: 1, receive: 1 };
  const one = { startedDateTime: time, time: 12, request, response, cache: {}, timings, ...entry };
  return JSON.stringify({ log: { version: '1.2', creator, pages: [], entries: [one] } }, undefined, indent);
}

const TIME = Date.parse('2026-11-21T10:00:00Z');

it.each<[string, string, time: number | undefined, client: string | undefined]>([
  ['nginx with escape=json', `${NGINX}\n`, TIME, '198.51.100.7'],
  ['JSON of Caddy without a time', `${CADDY}\n`, undefined, '198.51.100.7'],
  ['the console of Caddy', `${CADDY_CONSOLE}\n`, TIME + 122, '198.51.100.7'],
  [
    'the console of Caddy in colours',
    `${CADDY_CONSOLE.replace('INFO', '\x1b[34mINFO\x1b[0m')}\n`,
    TIME + 122,
    '198.51.100.7',
  ],
  ['a classic load balancer of AWS', `${ELB}\n`, TIME + 945, '198.51.100.7'],
  ['a real-time log of CloudFront', `${CLOUDFRONT_FIELDS}\n${CLOUDFRONT}\n`, TIME + 123, '198.51.100.7'],
  ['lines of a container by CRI', `2026-11-21T10:00:00.123456789Z stdout F ${COMBINED}\n`, TIME, '198.51.100.7'],
  [
    'a line in two parts by CRI',
    `2026-11-21T10:00:00.1Z stdout P ${COMBINED.slice(0, 40)}\n2026-11-21T10:00:00.1Z stdout F ${COMBINED.slice(40)}\n`,
    TIME,
    '198.51.100.7',
  ],
  [
    'lines by Docker',
    `${JSON.stringify({ log: `${COMBINED}\n`, stream: 'stdout', time: '2026-11-21T10:00:00.1Z' })}\n`,
    TIME,
    '198.51.100.7',
  ],
  [
    'JSON by Docker',
    `${JSON.stringify({ log: `${NGINX}\n`, stream: 'stdout', time: '2026-11-21T10:00:00.1Z' })}\n`,
    TIME,
    '198.51.100.7',
  ],
  [
    'a HAR file of Firefox',
    har({
      creator: { name: 'Firefox', version: '133.0' },
      time: '2026-11-21T11:00:00.123+01:00',
      entry: { pageref: 'page_1', connection: '443', serverIPAddress: '192.0.2.34' },
      indent: 2,
    }),
    TIME + 123,
    undefined,
  ],
  [
    'a HAR file of Safari',
    har({
      creator: { name: 'WebKit Web Inspector', version: '1.0' },
      time: '2026-11-21T10:00:00.123Z',
      httpVersion: 'h2',
      entry: { _fetchType: 'Network Load', serverIPAddress: '192.0.2.34:443' },
    }),
    TIME + 123,
    undefined,
  ],
  [
    'a HAR file of Charles',
    `\ufeff${har({ creator: { name: 'Charles Proxy', version: '4.6.6' }, time: '2026-11-21T10:00:00.123+0000' })}`,
    TIME + 123,
    undefined,
  ],
  [
    'a HAR file of mitmproxy',
    har({
      creator: { name: 'mitmproxy', version: '12.0.1', comment: '' },
      time: '2026-11-21T10:00:00.123456+00:00',
      indent: 4,
    }),
    TIME + 123,
    undefined,
  ],
])('reads %s', async (_, content, time, clientIp) => {
  const found = await exchangesIn(content);
  expect(found.map(one => ({ method: one.method, target: one.target, status: one.response?.status }))).toEqual([
    { method: 'GET', target: expect.stringContaining('/books?page=2'), status: 200 },
  ]);
  expect(found.map(one => [one.time === undefined ? undefined : Math.floor(one.time), one.clientIp])).toEqual([
    [time, clientIp],
  ]);
});

it.each([
  [
    'a real-time log of CloudFront without names',
    CLOUDFRONT,
    'put them in a first line: `#Fields: timestamp(ms) c-ip`',
  ],
])('says what to do with %s', async (_, line, advice) => {
  await expect(exchangesIn(`${line}\n${line}\n`)).rejects.toThrow(advice);
});
