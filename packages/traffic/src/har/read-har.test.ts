import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_TRAFFIC_LIMITS } from '../limits.ts';
import { readHar } from './read-har.ts';

const ENTRY = {
  startedDateTime: '2026-11-21T00:00:00.000Z',
  request: {
    method: 'GET',
    url: 'https://e.co:8443/a?b=c#d',
    httpVersion: 'h2',
    headers: [
      { name: ':authority', value: 'e.co:8443' },
      { name: 'accept', value: '*/*' },
    ],
    cookies: [
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
    ],
  },
  response: { status: 200, headers: [{ name: 'content-length', value: '3' }], bodySize: 3 },
  _securityDetails: { protocol: 'TLS 1.3' },
};

async function read(document: unknown, maxHarBytes = DEFAULT_TRAFFIC_LIMITS.maxHarBytes) {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  async function* source() {
    yield Buffer.from(text);
  }
  for await (const batch of readHar(source(), 'a.har', { ...DEFAULT_TRAFFIC_LIMITS, maxHarBytes })) return batch;
  return undefined;
}

function harOf(...entries: unknown[]) {
  return { log: { version: '1.2', entries } };
}

function entryOf(request: object, rest: object = {}) {
  return { ...ENTRY, ...rest, request: { ...ENTRY.request, ...request } };
}

describe('reading a HAR file', () => {
  it('takes every field of an entry, with host and cookies made headers', async () => {
    const batch = await read(harOf(ENTRY));
    expect(batch).toEqual({
      exchanges: [
        {
          place: { file: 'a.har', number: 1, unit: 'entry' },
          time: Date.parse('2026-11-21T00:00:00Z'),
          clientIp: undefined,
          tls: { version: 'TLS 1.3', cipherSuite: undefined, serverName: 'e.co' },
          method: 'GET',
          target: '/a?b=c',
          url: 'https://e.co:8443/a?b=c',
          protocol: 'HTTP/2.0',
          requestHeaders: {
            fields: [
              { name: 'Host', value: 'e.co:8443' },
              { name: 'accept', value: '*/*' },
              { name: 'Cookie', value: 'a=1; b=2' },
            ],
            absent: [],
            complete: true,
            withheld: [],
          },
          response: {
            status: 200,
            headers: { fields: [{ name: 'content-length', value: '3' }], absent: [], complete: true, withheld: [] },
            bodySize: 3,
          },
        },
      ],
      skipped: [],
    });
  });

  it.each([
    ['a web socket', entryOf({ url: 'wss://e.co/s' }), { url: 'https://e.co/s' }],
    [
      'plain HTTP',
      entryOf({ url: 'http://e.co' }),
      { target: '/', tls: { version: '', cipherSuite: '', serverName: '' } },
    ],
    ['an address as host', entryOf({ url: 'https://[::1]/' }), { tls: expect.objectContaining({ serverName: '' }) }],
    ['an unheard-of protocol', entryOf({ httpVersion: 'ori' }), { protocol: undefined }],
    [
      'no headers',
      entryOf({ headers: undefined }),
      { requestHeaders: { fields: [], absent: [], complete: false, withheld: [] } },
    ],
    [
      'provisional headers',
      entryOf({ headers: [{ name: 'accept', value: '*/*' }], cookies: [] }),
      {
        requestHeaders: {
          fields: [
            { name: 'Host', value: 'e.co:8443' },
            { name: 'accept', value: '*/*' },
          ],
          complete: false,
        },
      },
    ],
    ['a response that never came', entryOf({}, { response: { status: 0 } }), { response: undefined }],
    [
      'no response headers',
      entryOf({}, { response: { status: 204, bodySize: -1 } }),
      { response: { status: 204, bodySize: undefined } },
    ],
    ['a time that is none', entryOf({}, { startedDateTime: 'now' }), { time: undefined }],
  ])('reads %s', async (_, entry, expected) => {
    const batch = await read(harOf(entry));
    expect(batch?.skipped).toEqual([]);
    expect(batch?.exchanges[0]).toMatchObject(expected);
  });

  it('knows which headers the developer tools of Chromium withhold', async () => {
    const plain = entryOf({ cookies: [] });
    const withCookie = { ...plain, response: { status: 200, headers: [{ name: 'Set-Cookie', value: 'a=1' }] } };
    const withheld = async (creator: string, ...entries: unknown[]) => {
      const batch = await read({ log: { creator: { name: creator }, entries } });
      const [first] = batch!.exchanges;
      return [first!.requestHeaders.withheld, first!.response?.headers.withheld];
    };
    const names = ['authorization', 'cookie', 'set-cookie'];
    expect(await withheld('WebInspector', plain)).toEqual([names, names]);
    expect(await withheld('WebInspector', plain, withCookie)).toEqual([[], []]);
    expect(await withheld('Playwright', plain)).toEqual([[], []]);
  });

  it('skips what is no request to a server, and says why', async () => {
    const batch = await read(
      harOf(
        entryOf({ url: 'data:text/plain,x' }),
        entryOf({}, { _fromCache: 'memory' }),
        entryOf({ headers: [] }, { response: { status: 200, _transferSize: 0 } }),
        3,
        entryOf({ url: '/x' }),
        ENTRY,
      ),
    );
    expect(batch?.exchanges.map(exchange => exchange.place.number)).toEqual([6]);
    expect(batch?.skipped.map(({ place, reason, excerpt }) => [place.number, reason, excerpt])).toEqual([
      [1, 'traffic/not-http', 'data:text/plain,x'],
      [2, 'traffic/served-from-cache', 'https://e.co:8443/a?b=c#d'],
      [3, 'traffic/served-from-cache', 'https://e.co:8443/a?b=c#d'],
      [4, 'traffic/malformed-entry', '3'],
      [5, 'traffic/malformed-entry', '/x'],
    ]);
  });

  it('reads or skips every entry, whatever it is', async () => {
    const key = fc.constantFrom(
      'request',
      'response',
      'url',
      'headers',
      'cookies',
      'name',
      'value',
      'status',
      '__proto__',
    );
    const { tree } = fc.letrec(tie => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom<unknown>(null, 1, '', 'http://', 'https://e.co/\u0000', ':authority', true),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(key, tie('tree'), { maxKeys: 5 }),
      ),
    }));
    const request = fc.dictionary(key, tree, { maxKeys: 5 }).map(fields => ({ url: 'http://e.co/a', ...fields }));
    const entry = fc.oneof(tree, fc.record({ request, response: tree }));
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { minLength: 1 }), async entries => {
        const batch = await read(harOf(...entries));
        const numbers = [...batch!.exchanges, ...batch!.skipped].map(({ place }) => place.number);
        expect(numbers.sort((a, b) => a - b)).toEqual(entries.map((_, index) => index + 1));
      }),
    );
  });

  it.each([
    ['text that is not JSON', '{"log":', 'traffic/malformed-har'],
    ['JSON without entries', '{"log":{}}', 'traffic/malformed-har'],
    ['more than the limit', JSON.stringify(harOf(ENTRY)), 'traffic/har-too-large'],
  ])('refuses %s', async (_, text, code) => {
    await expect(read(text, 200)).rejects.toMatchObject({ name: 'WorldError', code });
  });
});
