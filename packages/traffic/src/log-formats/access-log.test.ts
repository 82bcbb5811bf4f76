import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeAddress } from '../exchange/address.ts';
import type { TrafficBatch } from '../exchange/exchange.ts';
import { DEFAULT_TRAFFIC_LIMITS } from '../input/lines.ts';
import { readAccessLog } from './access-log.ts';

type Options = { readonly maxLineLength?: number; readonly chunk?: number; readonly absent?: readonly string[] };

async function read(text: string | Buffer, { absent, ...options }: Options = {}) {
  const bytes = Buffer.from(text);
  const chunk = options.chunk ?? 65_536;
  async function* source() {
    for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk);
  }
  const batches: TrafficBatch[] = [];
  const log = { bytes: source(), file: 'a.log', ...DEFAULT_TRAFFIC_LIMITS, ...options };
  for await (const batch of readAccessLog(log, absent && { absent })) batches.push(batch);
  return {
    exchanges: batches.flatMap(batch => batch.exchanges),
    skipped: batches.flatMap(batch => batch.skipped).map(({ place, reason }) => [place.number, reason]),
    excerpts: batches.flatMap(batch => batch.skipped).map(record => record.excerpt),
  };
}

const COMMON = '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a?b=c HTTP/1.1" 200 203';

describe('reading an access log', () => {
  it('reads every field of a combined line', async () => {
    const { exchanges } = await read(
      '2001:db8::1 - eve [17/May/2015:10:05:03 -0130] "POST /a?b=c HTTP/2.0" 503 203 "https://e.co/" "Mozilla/5.0 (X)"\n',
    );
    expect(exchanges).toHaveLength(1);
    const [exchange] = exchanges;
    expect(exchange).toMatchObject({
      place: { file: 'a.log', number: 1, unit: 'line' },
      time: Date.parse('2015-05-17T11:35:03Z'),
      clientIp: '2001:db8::1',
      method: 'POST',
      target: '/a?b=c',
      url: undefined,
      protocol: 'HTTP/2.0',
      requestHeaders: {
        fields: [
          { name: 'Referer', value: 'https://e.co/' },
          { name: 'User-Agent', value: 'Mozilla/5.0 (X)' },
        ],
        absent: [],
        complete: false,
        withheld: [],
      },
      response: { status: 503, headers: { fields: [], absent: [], complete: false, withheld: [] }, bodySize: 203 },
    });
  });

  it.each([
    ['a virtual host', 'shop.example 192.0.2.1 - - '],
    ['a virtual host with its port', 'shop.example:443 192.0.2.1 - - '],
    ['an address as the virtual host', '10.0.0.1:443 192.0.2.1 - eve '],
    ['an IPv6 address as the virtual host', '[2001:db8::9]:443 192.0.2.1 - eve '],
    ['no virtual host', '- 192.0.2.1 - - '],
    ['the list that a proxy sent', '192.0.2.1, 10.0.0.1 10.0.0.2 - - '],
    ['the address that a proxy sent', '192.0.2.1 10.0.0.2 - - '],
    ['a user with spaces', '192.0.2.1 - Eve Adams '],
    ['a virtual host, without an identity', 'shop.example 192.0.2.1 eve '],
    ['an IPv4 address in IPv6', '::ffff:192.0.2.1 - - '],
  ])('finds the client after %s', async (_, begin) => {
    const { exchanges } = await read(`${begin}${COMMON.slice(COMMON.indexOf('['))}\n`);
    expect(exchanges.map(({ clientIp }) => clientIp)).toEqual(['192.0.2.1']);
  });

  it('knows no header of a common line', async () => {
    const { exchanges } = await read(COMMON);
    expect(exchanges[0]?.requestHeaders).toEqual({ fields: [], absent: [], complete: false, withheld: [] });
  });

  it('does not know whether a header logged as a dash or nothing was sent, unless it is told', async () => {
    const line = `${COMMON} "-" ""`;
    const known = { absent: [], complete: false, withheld: [] };
    const unclear = new Map([
      ['referer', '-'],
      ['user-agent', ''],
    ]);
    expect((await read(line)).exchanges[0]?.requestHeaders).toEqual({ ...known, fields: [], unclear });
    expect((await read(line, { absent: ['-'] })).exchanges[0]?.requestHeaders).toEqual({
      ...known,
      fields: [{ name: 'User-Agent', value: '' }],
      absent: ['referer'],
    });
  });

  it.each([
    ['a virtual host first', `e.co:443 ${COMMON} "-" "x"`, { clientIp: '192.0.2.1', target: '/a?b=c' }],
    ['fields after the user agent', `${COMMON} "-" "x" "203.0.113.9" 0.01`, { clientIp: '192.0.2.1' }],
    ['a host name for the client', COMMON.replace('192.0.2.1', 'client.example'), { clientIp: undefined }],
    ['a space in the user name', COMMON.replace('- -', '- a b'), { clientIp: '192.0.2.1', method: 'GET' }],
    ['no size', COMMON.replace('203', '-'), { response: expect.objectContaining({ bodySize: 0 }) }],
    [
      'no status and no size',
      COMMON.replace('200 203', '- -'),
      { response: { status: undefined, bodySize: undefined } },
    ],
    ['no protocol', COMMON.replace(' HTTP/1.1', ''), { target: '/a?b=c', protocol: 'HTTP/0.9' }],
    ['a space in the target', COMMON.replace('b=c', 'b= c'), { target: '/a?b= c', protocol: 'HTTP/1.1' }],
    ['an absolute target', COMMON.replace('/a?', 'http://e.co/a?'), { url: 'http://e.co/a?b=c' }],
    ['an impossible month', COMMON.replace('May', 'Foo'), { time: undefined }],
    ['bytes escaped by nginx', COMMON.replace('a?', String.raw`\xC3\xA4\x22?`), { target: '/ä"?b=c' }],
    ['bytes escaped by Apache', COMMON.replace('a?', String.raw`\"\\\t?`), { target: '/"\\\t?b=c' }],
  ])('accepts %s', async (_, line, fields) => {
    const { exchanges, skipped } = await read(line);
    expect(skipped).toEqual([]);
    expect(exchanges).toEqual([expect.objectContaining({})]);
    expect(exchanges[0]).toMatchObject(fields);
  });

  it.each([
    ['free text', 'hello world', 'traffic/malformed-line'],
    ['a user agent that never ends', `${COMMON} "-" "Mozilla`, 'traffic/malformed-line'],
    ['a referer without user agent', `${COMMON} "-"`, 'traffic/malformed-line'],
    ['a status that is not a number', COMMON.replace('200', 'xxx'), 'traffic/malformed-line'],
    ['a missing size', COMMON.replace(' 203', ''), 'traffic/malformed-line'],
    ['a time of another shape', COMMON.replace('17/May', '5/17'), 'traffic/malformed-line'],
    ['a line with a byte of zero', `\0\0${COMMON}`, 'traffic/nul-byte'],
    ['a request that timed out', COMMON.replace('GET /a?b=c HTTP/1.1', '-'), 'traffic/no-request'],
    ['a TLS greeting', COMMON.replace('GET /a?b=c HTTP/1.1', String.raw`\x16\x03\x01 \x00`), 'traffic/no-request'],
  ])('skips %s, and continues', async (_, line, reason) => {
    const { exchanges, skipped } = await read(`${COMMON}\n${line}\n\n${COMMON}\r\n`);
    expect(exchanges.map(exchange => exchange.place.number)).toEqual([1, 4]);
    expect(skipped).toEqual([[2, reason]]);
  });

  it('skips a line that is not UTF-8, and continues', async () => {
    const latin = Buffer.from(COMMON.replace('/a', '/\u00e4'), 'latin1');
    const sign = COMMON.replace('/a', '/\ufffd\u{1f600}');
    const [feed, cut] = [Buffer.from('\n'), Buffer.from([...Buffer.from(sign), 0xe2, 0x82])];
    const broken = Buffer.concat([Buffer.from(COMMON), feed, latin, feed, Buffer.from(sign), feed, cut]);
    for (const chunk of [1, 2, 3, 7, 100_000]) {
      const { exchanges, skipped } = await read(broken, { chunk });
      expect(exchanges.map(exchange => [exchange.place.number, exchange.target])).toEqual([
        [1, '/a?b=c'],
        [3, '/\ufffd\u{1f600}?b=c'],
      ]);
      expect(skipped).toEqual([
        [2, 'traffic/not-utf-8'],
        [4, 'traffic/not-utf-8'],
      ]);
    }
  });

  it('skips a line beyond the limit without buffering it', async () => {
    const long = COMMON.replace('/a', `/${'a'.repeat(100_000)}`);
    const { exchanges, skipped, excerpts } = await read(`${COMMON}\n${long}\n${COMMON}`, {
      maxLineLength: 1000,
      chunk: 700,
    });
    expect(exchanges.map(exchange => exchange.place.number)).toEqual([1, 3]);
    expect(skipped).toEqual([[2, 'traffic/line-too-long']]);
    expect(excerpts[0]).toHaveLength(121);
  });

  it('returns what a log line was written from, wherever the chunks end', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 20 });
    const escaped = (value: string) =>
      [...Buffer.from(value)]
        .map(byte => (byte < 32 || byte > 126 || byte === 34 || byte === 92 ? hex(byte) : String.fromCharCode(byte)))
        .join('');
    const hex = (byte: number) => `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    // Blanks around a header's value do not belong to it.
    const header = text.filter(value => value !== '-' && value !== '' && !/^[ \t]|[ \t]$/.test(value));
    const record = fc.record({
      ip: fc.oneof(
        fc.ipV4(),
        fc.ipV6().map(ip => normalizeAddress(ip)!),
      ),
      time: fc.integer({ min: 0, max: 4_000_000_000 }),
      method: fc.constantFrom('GET', 'POST', 'PROPFIND', 'x-y'),
      path: text,
      // A proxy that got no response has neither.
      status: fc.option(fc.integer({ min: 100, max: 599 }), { nil: undefined }),
      size: fc.option(fc.nat(), { nil: undefined }),
      referer: header,
      agent: header,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 90 }),
        async (records, chunk) => {
          const log = records.map(
            it =>
              `${it.ip} - - [${logTime(it.time)}] "${it.method} /${escaped(it.path)} HTTP/1.1" ${it.status ?? '-'} ${it.size ?? '-'} "${escaped(it.referer)}" "${escaped(it.agent)}"\n`,
          );
          const { exchanges } = await read(log.join(''), { chunk });
          expect(
            exchanges.map(it => ({
              ip: it.clientIp,
              time: it.time! / 1000,
              method: it.method,
              path: it.target?.slice(1),
              status: it.response?.status,
              size: it.response?.bodySize,
              referer: it.requestHeaders.fields[0]?.value,
              agent: it.requestHeaders.fields[1]?.value,
            })),
          ).toEqual(
            // Apache writes no size for an empty body.
            records.map(it => ({ ...it, size: it.size ?? (it.status === undefined ? undefined : 0) })),
          );
        },
      ),
      { numRuns: 100 },
    );
  });
});

function logTime(seconds: number): string {
  const [, day, month, year, time] = /, (\d+) (\w+) (\d+) (\S+)/.exec(new Date(seconds * 1000).toUTCString())!;
  return `${day}/${month}/${year}:${time} +0000`;
}
