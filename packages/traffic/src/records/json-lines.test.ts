import { describe, expect, it } from 'vitest';
import type { Exchange } from '../exchange/exchange.ts';
import { DEFAULT_TRAFFIC_LIMITS } from '../input/lines.ts';
import { type FieldMapping, unknownFields } from './field-mapping.ts';
import { readJsonLines } from './json-lines.ts';

async function read(text: string, mapping?: FieldMapping) {
  async function* bytes() {
    yield Buffer.from(text);
  }
  const exchanges: Exchange[] = [];
  const skipped: unknown[] = [];
  for await (const batch of readJsonLines({ bytes: bytes(), file: 'a.jsonl', ...DEFAULT_TRAFFIC_LIMITS }, mapping)) {
    exchanges.push(...batch.exchanges);
    skipped.push(...batch.skipped.map(({ place, reason }) => [place.number, reason]));
  }
  return { exchanges, skipped };
}

async function one(record: unknown, mapping?: FieldMapping): Promise<Exchange> {
  const { exchanges, skipped } = await read(JSON.stringify(record), mapping);
  expect(skipped).toEqual([]);
  expect(exchanges).toHaveLength(1);
  return exchanges[0]!;
}

const TIME = Date.parse('2026-11-21T10:00:00Z');

describe('a record of JSON lines', () => {
  it('becomes an exchange with all its fields', async () => {
    const exchange = await one({
      time: '2026-11-21T10:00:00.250Z',
      client_ip: '2001:db8::1',
      method: 'POST',
      url: 'https://e.co/a?b=c',
      protocol: 'h2',
      status: 503,
      response_size: 12,
      request_headers: { 'X-One': 'a', 'X-Two': ['b', 'c'], 'X-Gone': null },
      response_headers: [{ name: 'Server', value: 'x' }],
      user_agent: 'curl/8',
      tls_version: 'TLSv1.3',
      tls_cipher: 'TLS_AES_128_GCM_SHA256',
      server_name: 'e.co',
    });
    expect(exchange).toMatchObject({
      place: { file: 'a.jsonl', number: 1, unit: 'line' },
      time: TIME + 250,
      clientIp: '2001:db8::1',
      method: 'POST',
      target: '/a?b=c',
      url: 'https://e.co/a?b=c',
      protocol: 'HTTP/2.0',
      tls: { version: 'TLS 1.3', cipherSuite: 'TLS_AES_128_GCM_SHA256', serverName: 'e.co' },
    });
    expect(exchange.requestHeaders).toMatchObject({
      fields: [
        { name: 'X-One', value: 'a' },
        { name: 'X-Two', value: 'b' },
        { name: 'X-Two', value: 'c' },
        { name: 'User-Agent', value: 'curl/8' },
      ],
      absent: ['x-gone'],
      complete: false,
      mayBeComplete: true,
      withheld: [],
    });
    expect(exchange.response).toMatchObject({
      status: 503,
      headers: { fields: [{ name: 'Server', value: 'x' }], absent: [], complete: false, withheld: [] },
      bodySize: 12,
    });
  });

  it('leaves what it does not contain unknown', async () => {
    const exchange = await one({ method: 'GET' });
    const none = { fields: [], absent: [], complete: false, withheld: [] };
    expect(exchange).toMatchObject({
      time: undefined,
      clientIp: undefined,
      method: 'GET',
      target: undefined,
      url: undefined,
      protocol: undefined,
      requestHeaders: none,
      response: undefined,
      tls: { version: undefined, cipherSuite: undefined, serverName: undefined },
    });
  });

  it.each([
    ['ISO 8601', '2026-11-21T10:00:00Z'],
    ['ISO 8601 without zone', '2026-11-21 10:00:00'],
    ['ISO 8601 with another zone', '2026-11-21T11:30:00+01:30'],
    ['the time of access logs', '21/Nov/2026:10:00:00 +0000'],
    ['seconds', TIME / 1000],
    ['seconds as text', `${TIME / 1000}.000`],
    ['milliseconds', TIME],
    ['microseconds', TIME * 1e3],
    ['nanoseconds', TIME * 1e6],
  ])('has its time as %s', async (_, time) => {
    expect((await one({ method: 'GET', time })).time).toBe(TIME);
  });

  it.each([
    ['scheme, host and target', { scheme: 'https', host: 'e.co', target: '/a?b' }, 'https://e.co/a?b', '/a?b'],
    ['path and query', { scheme: 'http', host: 'e.co:8', path: '/a', query: 'b=c' }, 'http://e.co:8/a?b=c', '/a?b=c'],
    ['a path and no query', { scheme: 'http', host: 'e.co', path: '/a', query: '' }, 'http://e.co/a', '/a'],
    ['a path with its query', { path: '/a?b' }, undefined, '/a?b'],
    ['a path alone, whose query is not known', { path: '/a' }, undefined, undefined],
    ['a Host header', { scheme: 'wss', target: '/', request_headers: { Host: 'e.co' } }, 'https://e.co/', '/'],
    ['the version of TLS', { tls_version: 'TLSv1.2', host: 'e.co', target: '/' }, 'https://e.co/', '/'],
    ['no TLS', { tls_version: '', host: 'e.co', target: '/' }, 'http://e.co/', '/'],
    // The server may have removed the default port.
    ['an absolute target', { target: 'http://e.co/a' }, undefined, '/a'],
    ['an absolute target with a port', { target: 'http://e.co:81/a' }, 'http://e.co:81/a', 'http://e.co:81/a'],
    ['a URL with a fragment', { url: 'http://e.co#top' }, 'http://e.co/', '/'],
    ['a URL in capitals without a path', { url: 'HTTPS://E.co?a' }, 'https://E.co/?a', '/?a'],
    ['a target without a path', { scheme: 'http', host: 'e.co', target: '?a=b' }, 'http://e.co/?a=b', '/?a=b'],
    ['a URL that is none', { url: 'a b', scheme: 'http', host: 'e.co' }, undefined, undefined],
    ['a target that is called a URL', { url: '/a?b', scheme: 'http', host: 'e.co' }, 'http://e.co/a?b', '/a?b'],
  ])('has its URL from %s', async (_, record, url, target) => {
    expect(await one(record)).toMatchObject({ url, target });
  });

  it('has a header that was not sent if the mapping says what its field then holds', async () => {
    const mapping = {
      fields: { 'request_headers.X-Key': 'k', 'response_headers.X-Key': 'r', 'request_headers.X-Other': 'o' },
      absentIn: { 'request_headers.X-Key': ['(null)'], user_agent: [''], request_headers: ['none'] },
    };
    const record = {
      k: '(null)',
      r: '(null)',
      o: '-',
      user_agent: '',
      referer: '',
      request_headers: { A: 'none', B: '-' },
    };
    const { requestHeaders, response } = await one(record, mapping);
    expect(requestHeaders.fields).toEqual([{ name: 'B', value: '-' }]);
    expect(requestHeaders.absent.toSorted()).toEqual(['a', 'user-agent', 'x-key']);
    expect([...(requestHeaders.unclear ?? [])].toSorted()).toEqual([
      ['referer', ''],
      ['x-other', '-'],
    ]);
    expect(response?.headers.fields).toEqual([{ name: 'X-Key', value: '(null)' }]);
    const all = {
      fields: { 'request_headers.X-Key': 'k' },
      absent: ['-'],
      absentIn: { 'request_headers.X-Key': [''] },
    };
    expect((await one({ k: '-', user_agent: '-' }, all)).requestHeaders).toMatchObject({
      fields: [{ name: 'X-Key', value: '-' }],
      absent: ['user-agent'],
    });
  });

  it('knows nothing of headers that a server logs as missing, or may not have read to the end, if it refused the request while it read it', async () => {
    const mapping = { fields: { 'request_headers.X-Key': 'k' }, absent: ['-'], absentIn: { referer: [] } };
    const known = async (status: unknown, k: unknown = '-') => {
      const { requestHeaders, response } = await one({ ...RECORD, status, k }, mapping);
      const { fields, absent, unclear } = requestHeaders;
      expect(response?.headers.absent).toEqual(['x-key']);
      return {
        fields: fields.map(({ name, value }) => `${name}: ${value}`),
        absent: [...absent],
        unclear: unclear?.size,
      };
    };
    const RECORD = { method: 'GET', user_agent: 'curl/8', referer: '', response_headers: { 'X-Key': '-' } };
    const read = { fields: ['User-Agent: curl/8', 'Referer: '], absent: ['x-key'], unclear: 0 };
    const refused = { ...read, absent: [] };
    for (const status of [200, '200', '404', 500, undefined]) expect(await known(status), String(status)).toEqual(read);
    for (const status of [400, '400', 408, 431, 494, 499, '000', -1])
      expect(await known(status), String(status)).toEqual(refused);
    expect((await known(200, 'k1')).fields).toContain('X-Key: k1');
    expect((await known(400, 'k1')).fields).not.toContain('X-Key: k1');
    expect((await known(400, null)).absent).toEqual(['x-key']);
    expect((await known(400, ['k1', '-'])).fields).toEqual(['X-Key: k1', 'X-Key: -', ...read.fields]);
  });

  it('implies the Host header from the host', async () => {
    const { requestHeaders } = await one({ host: 'e.co', request_headers: { A: 'b' } });
    expect(requestHeaders.fields).toEqual([
      { name: 'Host', value: 'e.co' },
      { name: 'A', value: 'b' },
    ]);
  });

  it('implies that a plain HTTP connection has no TLS', async () => {
    expect((await one({ scheme: 'http' })).tls).toEqual({ version: '', cipherSuite: '', serverName: '' });
  });

  it.each([
    ['an address with its port', '192.0.2.1:443', '192.0.2.1'],
    ['an address of IPv6 with its port', '[2001:db8::1]:443', '2001:db8::1'],
    ['a name', 'client.example', undefined],
    ['a number', 7, undefined],
  ])('accepts %s as the client', async (_, client_ip, address) => {
    expect((await one({ method: 'GET', client_ip })).clientIp).toBe(address);
  });

  it("contains the client's location and the connection", async () => {
    const places = {
      country: 'de',
      continent: 'EU',
      region: 'Berlin',
      latitude: 52.5,
      longitude: '13.4',
      asn: 'AS64500',
    };
    const ends = { client_ip: '[2001:db8::1]:5', server_ip: '192.0.2.1', server_port: '443' };
    const exchange = await one({ ...places, ...ends, scheme: 'https', alpn: 'h2', ja4: 't13d' });
    expect(exchange.geo).toEqual({
      countryCode: 'DE',
      continent: 'Europe',
      subdivision: 'Berlin',
      latitude: '52.5000',
      longitude: '13.4',
      asNumber: 64_500,
    });
    expect(exchange.connection).toEqual({ clientPort: 5, serverIp: '192.0.2.1', serverPort: 443 });
    expect(exchange.tls).toEqual({ alpn: 'h2', ja4: 't13d' });
    expect((await one({ country: 'Germany', client_ip: '::1:80' })).geo).toEqual({ country: 'Germany' });
    expect((await one({ method: 'GET', client_ip: '::1:80' })).connection).toBeUndefined();
  });

  it.each([
    ['text', 'hello', 'traffic/malformed-json'],
    ['half an object', '{"method": "GET", "pa', 'traffic/malformed-json'],
    ['a list', '[]', 'traffic/malformed-json'],
    ['an object of other things', '{"level": "info", "time": 1}', 'traffic/no-fields'],
    ['an object of nulls', '{"method": null}', 'traffic/no-fields'],
  ])('is skipped if it is %s', async (_, line, reason) => {
    const { exchanges, skipped } = await read(`{"method":"GET"}\n${line}\r\n\n{"method":"PUT"}`);
    expect(exchanges.map(({ method, place }) => [method, place.number])).toEqual([
      ['GET', 1],
      ['PUT', 4],
    ]);
    expect(skipped).toEqual([[2, reason]]);
  });
});

describe('a mapping of fields', () => {
  it('locates fields at any depth, including names with dots', async () => {
    const record = { http: { verb: 'GET', 'request.path': '/a?' }, net: [{ peer: '192.0.2.1' }], 'url.host': 'e.co' };
    const fields = { method: 'http.verb', target: 'http.request.path', client_ip: 'net.0.peer', host: 'url.host' };
    expect(await one(record, { fields })).toMatchObject({ method: 'GET', target: '/a?', clientIp: '192.0.2.1' });
  });

  it.each(['a"b', "a'b", 'a\\', '\u2028', '"];throw 1//', '${a}', '`', 'constructor', '__proto__', ''])(
    'locates a field whatever its name is: %j',
    async name => {
      const line = `{"status":200,${JSON.stringify(name)}:"PUT"}`;
      const { exchanges } = await read(line, { fields: { method: name } });
      expect(exchanges.map(({ method }) => method)).toEqual([name === '' ? undefined : 'PUT']);
    },
  );

  it('locates single headers; null means that one was not sent', async () => {
    const fields = { 'request_headers.X-A': 'a', 'request_headers.X-B': 'b', 'response_headers.Age': 'age' };
    const { requestHeaders, response } = await one({ a: ['1', '2'], b: null, age: 5 }, { fields });
    expect(requestHeaders).toMatchObject({
      fields: [
        { name: 'X-A', value: '1' },
        { name: 'X-A', value: '2' },
      ],
      absent: ['x-b'],
    });
    expect(response?.headers.fields).toEqual([{ name: 'Age', value: '5' }]);
  });

  it('keeps the default names of other fields, and reads none with an empty path', async () => {
    const exchange = await one(
      { method: 'GET', target: '/', host: 'db-7' },
      { fields: { method: 'method', host: '' } },
    );
    expect(exchange).toMatchObject({ method: 'GET', target: '/', requestHeaders: { fields: [] } });
  });

  it('can say that all headers are recorded', async () => {
    const { requestHeaders, response } = await one({ request_headers: {}, status: 200 }, { completeHeaders: true });
    expect(requestHeaders.complete).toBe(true);
    expect(response?.headers.complete).toBe(false);
  });

  it('reports names that are not fields', () => {
    const fields = { method: 'a', verb: 'b', 'request_headers.A': 'c', request_headers: 'd', 'headers.A': 'e' };
    expect(unknownFields({ fields })).toEqual(['verb', 'headers.A']);
  });
});
