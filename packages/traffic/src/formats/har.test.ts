import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Exchange, SkippedRecord } from '../exchange/exchange.ts';
import { DEFAULT_TRAFFIC_LIMITS, type TrafficLimits } from '../input/lines.ts';
import { hasSensitiveHeader, readCreator, readEntry, readHar, SENSITIVE } from './har.ts';

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
  serverIPAddress: '[::1]',
  _serverPort: 8443,
  _securityDetails: { protocol: 'TLS 1.3' },
};

interface Read {
  readonly exchanges: readonly Exchange[];
  readonly skipped: readonly SkippedRecord[];
  readonly failure?: unknown;
}

/** @param chunkBytes everything in one chunk by default */
async function readBytes(
  content: Buffer,
  chunkBytes = content.length,
  limits: Partial<TrafficLimits> = {},
): Promise<Read> {
  async function* source() {
    for (let at = 0; at < content.length; at += chunkBytes) yield content.subarray(at, at + chunkBytes);
  }
  const exchanges: Exchange[] = [];
  const skipped: SkippedRecord[] = [];
  try {
    for await (const batch of readHar(source(), 'a.har', { ...DEFAULT_TRAFFIC_LIMITS, ...limits })) {
      exchanges.push(...batch.exchanges);
      skipped.push(...batch.skipped);
    }
  } catch (failure) {
    return { exchanges, skipped, failure };
  }
  return { exchanges, skipped };
}

async function read(document: unknown): Promise<Read> {
  return readBytes(Buffer.from(JSON.stringify(document)));
}

function harOf(...entries: unknown[]) {
  return { log: { version: '1.2', entries } };
}

function entryOf(request: object, rest: object = {}) {
  return { ...ENTRY, ...rest, request: { ...ENTRY.request, ...request } };
}

describe('reading a HAR file', () => {
  it('reads every field of an entry, and turns host and cookies into headers', async () => {
    const batch = await read(harOf(ENTRY));
    expect(batch).toEqual({
      exchanges: [
        {
          place: { file: 'a.har', number: 1, unit: 'entry' },
          time: Date.parse('2026-11-21T00:00:00Z'),
          clientIp: undefined,
          connection: { serverIp: '::1', serverPort: 8443 },
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
    expect(batch.skipped).toEqual([]);
    expect(batch.exchanges[0]).toMatchObject(expected);
  });

  it("knows which headers Chromium's developer tools withhold", async () => {
    const plain = entryOf({ cookies: [] });
    const withCookie = { ...plain, response: { status: 200, headers: [{ name: 'Set-Cookie', value: 'a=1' }] } };
    const withheld = async (creator: string, ...entries: unknown[]) => {
      const batch = await read({ log: { creator: { name: creator }, entries } });
      const [first] = batch.exchanges;
      return [first!.requestHeaders.withheld, first!.response?.headers.withheld];
    };
    const names = ['authorization', 'cookie', 'set-cookie'];
    expect(await withheld('WebInspector', plain)).toEqual([names, names]);
    expect(await withheld('WebInspector', plain, withCookie)).toEqual([[], []]);
    expect(await withheld('Playwright', plain)).toEqual([[], []]);
  });

  it('skips what is not a request to a server, with the reason', async () => {
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
    expect(batch.exchanges.map(exchange => exchange.place.number)).toEqual([6]);
    expect(batch.skipped.map(({ place, reason, excerpt }) => [place.number, reason, excerpt])).toEqual([
      [1, 'traffic/not-http', 'data:text/plain,x'],
      [2, 'traffic/served-from-cache', 'https://e.co:8443/a?b=c#d'],
      [3, 'traffic/served-from-cache', 'https://e.co:8443/a?b=c#d'],
      [4, 'traffic/malformed-entry', '3'],
      [5, 'traffic/malformed-entry', '/x'],
    ]);
  });

  it('tells what browsers did not send by what each of them records', async () => {
    const status = (code: number) => ({ response: { ...ENTRY.response, status: code } });
    const [sent, unsent] = [
      { send: 0, wait: 6, receive: 0 },
      { blocked: -1, send: 0, wait: 0 },
    ];
    const reasons = async (name: string, ...entries: object[]) => {
      const batch = await read({ log: { creator: { name }, entries: entries.map(entry => ({ ...ENTRY, ...entry })) } });
      const reasonOf = new Map(batch.skipped.map(({ place, reason }) => [place.number, reason]));
      return entries.map((_, at) => reasonOf.get(at + 1));
    };
    const unknownServer = { serverIPAddress: undefined };
    const [cached, notSent] = ['traffic/served-from-cache', 'traffic/not-sent'];
    expect(
      await reasons(
        'WebKit Web Inspector',
        ...['Network Load', 'Memory Cache', 'Disk Cache', 'Service Worker', 'Inspector Override'].map(_fetchType => ({
          _fetchType,
        })),
      ),
    ).toEqual([undefined, cached, cached, notSent, notSent]);
    const firefox = [
      { timings: unsent },
      { ...unknownServer, timings: sent },
      { ...unknownServer, timings: unsent },
      { ...unknownServer, timings: {} },
      { ...unknownServer, timings: {}, ...status(0) },
    ];
    expect(await reasons('Firefox', ...firefox)).toEqual([undefined, undefined, cached, cached, notSent]);
    expect(await reasons('mitmproxy', ...firefox)).toEqual(firefox.map(() => undefined));
    const blocked = { request: { ...ENTRY.request, headers: [] }, response: { status: 0, _transferSize: 0 } };
    expect(await reasons('WebInspector', blocked)).toEqual([notSent]);
  });

  it('reads or skips every entry, whatever it contains', async () => {
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
        const numbers = [...batch.exchanges, ...batch.skipped].map(({ place }) => place.number);
        expect(numbers.sort((a, b) => a - b)).toEqual(entries.map((_, index) => index + 1));
      }),
    );
  });

  it.each([
    ['text that is not JSON', '{"log":', 'is not a HAR file: it ends where a value was expected'],
    ['what is left of a HAR file', '"log": {}}', 'is not a HAR file: expected nothing more at byte 5, found `:`'],
    ['JSON without entries', '{"log":{"entries":{}}}', 'is not a HAR file: it has no `log.entries` list'],
    ['a list without commas', '{"a":[1 2]}', 'expected `,` or the end of the list or object at byte 8, found `2`'],
    ['a name without quotes', '{a:1}', 'expected a name in quotes or `}` at byte 1, found `a`'],
    ['a comma too many', '{"a":1,}', 'expected a name in quotes at byte 7, found `}`'],
    ['another bracket', '{"a":[}', 'expected a value or `]` at byte 6, found `}`'],
    ['a wrong bracket', '{"a":[1}', 'expected `,` or the end of the list or object at byte 7, found `}`'],
    ['a name without a value', '{"a",', 'expected `:` at byte 4, found `,`'],
    ['other bytes', '\u0007', 'expected a value at byte 0, found the byte 0x7'],
    [
      'endless depth',
      '['.repeat(10_001),
      'expected at most 10000 values inside of each other at byte 10000, found more',
    ],
  ])('rejects %s', async (_, text, message) => {
    for (const chunkBytes of [1, text.length]) {
      const { exchanges, skipped, failure } = await readBytes(Buffer.from(text), chunkBytes);
      expect([exchanges, skipped]).toEqual([[], []]);
      expect(failure).toMatchObject({ name: 'ExternalError', code: 'traffic/malformed-har' });
      expect(failure).toMatchObject({ message: expect.stringContaining(message) });
    }
  });

  it('returns every entry before the end of a truncated file', async () => {
    const entries = ['a', 'b', 'c'].map(path => entryOf({ url: `https://e.co/${path}` }));
    const text = JSON.stringify(harOf(...entries));
    const ends = entries.map(entry => text.indexOf(JSON.stringify(entry)) + JSON.stringify(entry).length);
    for (let end = 1; end < text.length; end++) {
      const { exchanges, failure } = await readBytes(Buffer.from(text.slice(0, end)), 64);
      const count = ends.filter(one => one <= end).length;
      expect(exchanges.map(({ target }) => target)).toEqual(['/a', '/b', '/c'].slice(0, count));
      const what = count > 0 ? `cannot be read beyond entry ${count}` : 'is not a HAR file';
      expect(failure).toMatchObject({
        code: 'traffic/malformed-har',
        message: expect.stringMatching(new RegExp(`^\`a.har\` ${what}: it ends where .* was expected$`)),
      });
    }
  });

  it('returns every entry before a damaged one', async () => {
    const text = JSON.stringify(harOf(ENTRY, ENTRY, ENTRY));
    const damaged = text.replace(/("request":)(.*?)("request":)/, '$1$2$3,');
    const { exchanges, failure } = await readBytes(Buffer.from(damaged));
    expect(exchanges).toHaveLength(1);
    expect(failure).toMatchObject({
      message: expect.stringMatching(/beyond entry 1: expected a value at byte \d+, found `,`$/),
    });
  });

  it('skips an entry that is not JSON and one that is too large, and continues', async () => {
    const large = entryOf({ url: `https://e.co/${'x'.repeat(3000)}` });
    const text = JSON.stringify(harOf(ENTRY, 'damaged', large, ENTRY)).replace('"damaged"', '{"request": tru}');
    for (const chunkBytes of [1, 1000, text.length]) {
      const read = await readBytes(Buffer.from(text), chunkBytes, { maxHarEntryBytes: 2000 });
      expect(read.failure).toBeUndefined();
      expect(read.exchanges.map(({ place }) => place.number)).toEqual([1, 4]);
      expect(read.skipped).toEqual([
        {
          place: expect.objectContaining({ number: 2 }),
          reason: 'traffic/malformed-entry',
          excerpt: '{"request": tru}',
        },
        {
          place: expect.objectContaining({ number: 3 }),
          reason: 'traffic/entry-too-large',
          excerpt: expect.stringMatching(/^\{"startedDateTime":.{101}…$/),
        },
      ]);
    }
  });

  it('omits bodies and what browsers add', async () => {
    const text = 'x'.repeat(100_000);
    const entry = entryOf({ postData: { text } }, { _webSocketMessages: [{ data: text }], time: 1 });
    const whole = { ...entry, response: { ...ENTRY.response, content: { text } } };
    const read = await readBytes(Buffer.from(JSON.stringify(harOf(whole))), 1000, { maxHarEntryBytes: 1000 });
    expect(read).toEqual(await readBytes(Buffer.from(JSON.stringify(harOf(ENTRY)))));
  });

  it('reads names with escapes, and values in any order', async () => {
    const text = JSON.stringify(harOf(ENTRY)).replace('"entries"', '"entr\\u0069es"').replace('"url"', '"\\u0075rl"');
    const backwards = { pages: [{}], log: { ...harOf(ENTRY).log, creator: { name: 'x' } }, version: 1 };
    const expected = await read(harOf(ENTRY));
    expect(expected.exchanges).toHaveLength(1);
    expect(await readBytes(Buffer.from(text), 1)).toEqual(expected);
    expect(await read(backwards)).toEqual(expected);
  });

  it('returns the same as a parser of the whole file, wherever the chunks end', async () => {
    const text = fc.constantFrom('', 'a', '"', '\\', '\\"', 'ü€😀', '\u0000', '","entries":[{', 'x'.repeat(70));
    const header = fc.record({ name: fc.oneof(text, fc.constantFrom('Host', 'cookie')), value: text });
    const headers = fc.array(header, { maxLength: 3 });
    const entry = fc.oneof(
      fc.record(
        {
          startedDateTime: fc.constantFrom('2026-11-21T00:00:00.000Z', 'now'),
          request: fc.record({ url: text.map(part => `http://e.co/${encodeURI(part)}`), headers, postData: text }),
          response: fc.record({ status: fc.constantFrom(200, 0, 1.5e2), headers, content: fc.record({ text }) }),
          [`_${'long'.repeat(20)}`]: fc.array(text, { maxLength: 2 }),
        },
        { requiredKeys: [] },
      ),
      fc.constantFrom(null, 3, 'x'),
    );
    const log = fc.record({
      creator: fc.record({ name: fc.constantFrom('WebInspector', 'Firefox') }),
      pages: fc.array(fc.record({ id: text })),
      entries: fc.array(entry, { maxLength: 4 }),
    });
    const style = fc.record({
      indent: fc.constantFrom(0, 2),
      isMarked: fc.boolean(),
      chunkBytes: fc.integer({ min: 1, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(log, style, async (value, { indent, isMarked, chunkBytes }) => {
        const document = `${isMarked ? '\ufeff' : ''}${JSON.stringify({ log: value }, null, indent)}\n`;
        const expected = wholeRead(value);
        const { exchanges, skipped, failure } = await readBytes(Buffer.from(document), chunkBytes);
        expect(failure).toBeUndefined();
        expect(exchanges).toEqual(expected.exchanges);
        expect(skipped.map(({ place, reason }) => [place.number, reason])).toEqual(expected.skipped);
      }),
      { numRuns: 300 },
    );
  });
});

/** Returns the result of a reader that parses the whole file first. */
function wholeRead({ creator, entries }: { readonly creator: unknown; readonly entries: readonly unknown[] }) {
  const { mayWithhold, isFirefox } = readCreator(creator);
  const withheld = mayWithhold && !entries.some(hasSensitiveHeader) ? SENSITIVE : [];
  const all = entries.map((entry, at) =>
    readEntry(entry, { file: 'a.har', number: at + 1, unit: 'entry' }, { withheld, isOfFirefox: isFirefox }),
  );
  return {
    exchanges: all.filter(one => typeof one !== 'string'),
    skipped: all.flatMap((one, at) => (typeof one === 'string' ? [[at + 1, one]] : [])),
  };
}
