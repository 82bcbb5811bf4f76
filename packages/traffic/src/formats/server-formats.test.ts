import { describe, expect, it } from 'vitest';
import type { Exchange } from '../exchange/exchange.ts';
import { DEFAULT_TRAFFIC_LIMITS } from '../input/lines.ts';
import type { FieldMapping } from '../records/field-mapping.ts';
import { FORMATS, type TrafficFormat } from './registry.ts';
import { formatHead } from './traffic-format.ts';

const OPTIONS = { limits: DEFAULT_TRAFFIC_LIMITS };

/** Reads in the detected format. */
async function read(text: string, mapping?: FieldMapping) {
  const head = formatHead(Buffer.from(text), true);
  const sure = FORMATS.map(format => ({ format, sure: format.detect(head, OPTIONS) })).toSorted(
    (a, b) => b.sure - a.sure,
  );
  async function* bytes() {
    yield Buffer.from(text);
  }
  const exchanges: Exchange[] = [];
  const skipped: unknown[] = [];
  for await (const batch of sure[0]!.format.read(bytes(), 'a.log', { ...OPTIONS, mapping })) {
    exchanges.push(...batch.exchanges);
    skipped.push(...batch.skipped.map(({ place, reason }) => [place.number, reason]));
  }
  return { format: sure[0]!.format.name, exchanges, skipped };
}

async function one(format: TrafficFormat, text: string, mapping?: FieldMapping): Promise<Exchange> {
  const found = await read(text, mapping);
  expect([found.format, found.skipped]).toEqual([format, []]);
  expect(found.exchanges).toHaveLength(1);
  return found.exchanges[0]!;
}

const TIME = Date.parse('2026-11-21T10:00:00Z');
const TLS13 = { version: 'TLS 1.3', cipherSuite: 'TLS_AES_128_GCM_SHA256', serverName: 'e.co' };

describe('Caddy', () => {
  const request = {
    remote_ip: '192.0.2.1',
    remote_port: '4711',
    client_ip: '192.0.2.1',
    proto: 'HTTP/2.0',
    method: 'GET',
    host: 'e.co:8443',
    uri: '/a?b=c',
    headers: { 'User-Agent': ['curl/8'], Cookie: ['REDACTED'], Accept: ['a', 'b'] },
    tls: { resumed: false, version: 772, cipher_suite: 4865, proto: 'h2', server_name: 'e.co' },
  };
  const record = {
    level: 'info',
    ts: TIME / 1000 + 0.25,
    logger: 'http.log.access',
    msg: 'handled request',
    request,
    duration: 0.25,
    size: 12,
    status: 404,
    resp_headers: { Server: ['Caddy'] },
  };

  it('logs everything known about an exchange, except headers that it redacts or does not see', async () => {
    const exchange = await one('caddy', JSON.stringify(record));
    expect(exchange).toMatchObject({
      time: TIME,
      clientIp: '192.0.2.1',
      connection: { clientPort: 4711 },
      tls: { ...TLS13, alpn: 'h2' },
      method: 'GET',
      target: '/a?b=c',
      url: 'https://e.co:8443/a?b=c',
      protocol: 'HTTP/2.0',
      response: {
        status: 404,
        bodySize: 12,
        headers: { fields: [{ name: 'Server', value: 'Caddy' }], complete: true },
      },
    });
    expect(exchange.requestHeaders).toMatchObject({
      fields: [
        { name: 'Host', value: 'e.co:8443' },
        { name: 'User-Agent', value: 'curl/8' },
        { name: 'Accept', value: 'a' },
        { name: 'Accept', value: 'b' },
      ],
      absent: [],
      complete: true,
      withheld: ['transfer-encoding', 'trailer', 'host', 'cookie'],
    });
  });

  it('has a client behind trusted proxies, whose port is unknown', async () => {
    const line = { ...record, request: { ...request, client_ip: '2001:db8::1' } };
    expect(await one('caddy', JSON.stringify(line))).toMatchObject({ clientIp: '2001:db8::1', connection: undefined });
  });

  it('has no TLS if it logs none', async () => {
    const { tls, ...plain } = request;
    expect(await one('caddy', JSON.stringify({ ...record, request: plain }))).toMatchObject({
      url: 'http://e.co:8443/a?b=c',
      tls: { version: '', cipherSuite: '', serverName: '' },
    });
  });

  it('may be configured to omit headers', async () => {
    const { requestHeaders } = await one('caddy', JSON.stringify(record), { completeHeaders: false });
    expect(requestHeaders).toMatchObject({ complete: false, withheld: [] });
  });

  it('writes other messages into the same log, also about requests that it logs themselves', async () => {
    const others = [
      { level: 'info', msg: 'serving initial configuration' },
      { ...record, level: 'error', logger: 'http.log.error.log0', msg: 'dial tcp 10.0.0.1:80', err_id: 'rqtpb863b' },
      { ...record, level: 'debug', logger: 'http.handlers.reverse_proxy', msg: 'upstream roundtrip' },
    ];
    const text = [record, ...others].map(one => `${JSON.stringify(one)}\n`).join('');
    expect((await read(text)).skipped).toEqual([2, 3, 4].map(line => [line, 'traffic/no-fields']));
  });

  it.each<[unknown, unknown, number]>([
    ['2026-11-21T10:00:00.250Z', 0.25, TIME],
    ['2026-11-21T11:00:00.250+0100', '250ms', TIME],
    ['2026/11/21 10:01:00.250', '1m250000.0µs', TIME],
    [TIME + 250.25, 0, TIME + 250],
    [TIME * 1e6, null, TIME],
    // Milliseconds or nanoseconds: nothing tells.
    [TIME / 1000, 250, TIME],
  ])('logs the time %o after %o', async (ts, duration, time) => {
    expect(await one('caddy', JSON.stringify({ ...record, ts, duration }))).toMatchObject({ time });
  });

  it('may have members of the user', async () => {
    const line = JSON.stringify({ ...record, geo: { country: 'DE' }, team: 'a' });
    const fields = { country: 'geo.country', 'request_headers.X-Team': 'team' };
    const exchange = await one('caddy', line, { fields });
    expect(exchange).toMatchObject({ geo: { countryCode: 'DE' }, method: 'GET' });
    expect(exchange.requestHeaders.valuesOf!('x-team')).toEqual(['a']);
    expect(exchange.requestHeaders.isWithheld!('cookie')).toBe(true);
  });
});

describe('nginx', () => {
  it('logs JSON with the names of its variables, also of any header', async () => {
    const record = {
      ...{ time_iso8601: '2026-11-21T10:00:00+00:00', remote_addr: '192.0.2.1', request: 'GET /a?b=c HTTP/1.1' },
      ...{ status: '404', host: 'E.co', scheme: 'https', http_user_agent: 'curl/8', http_x_api_key: '' },
      ...{ sent_http_content_type: 'text/html', ssl_protocol: 'TLSv1.3', body_bytes_sent: '12', uri: '/index.html' },
    };
    expect(await one('nginx', JSON.stringify(record))).toMatchObject({
      time: TIME,
      clientIp: '192.0.2.1',
      method: 'GET',
      target: '/a?b=c',
      url: undefined,
      scheme: 'https',
      hostName: 'e.co',
      protocol: 'HTTP/1.1',
      tls: { version: 'TLS 1.3' },
      requestHeaders: {
        fields: [{ name: 'User-Agent', value: 'curl/8' }],
        absent: [],
        unclear: new Map([['x-api-key', '']]),
      },
      response: {
        status: 404,
        bodySize: 12,
        headers: { fields: [{ name: 'Content-Type', value: 'text/html' }] },
      },
    });
  });
});

describe('Cloudflare', () => {
  it('pushes the chosen fields', async () => {
    const record = {
      ClientIP: '192.0.2.1',
      ClientSrcPort: 4711,
      ClientRequestHost: 'e.co',
      ClientRequestMethod: 'GET',
      ClientRequestURI: '/a?b=c',
      ClientRequestScheme: 'https',
      ClientRequestProtocol: 'HTTP/2',
      ClientRequestUserAgent: 'curl/8',
      ClientRequestReferer: '',
      ClientSSLProtocol: 'TLSv1.3',
      ClientSSLCipher: 'AEAD-AES128-GCM-SHA256',
      ClientCountry: 'de',
      ClientASN: 64_500,
      EdgeResponseStatus: 404,
      EdgeResponseBytes: 999,
      EdgeResponseContentType: 'text/html',
      EdgeStartTimestamp: TIME * 1e6,
      RequestHeaders: { 'x-one': 'a' },
      RayID: 'x',
    };
    const exchange = await one('cloudflare', JSON.stringify(record));
    expect(exchange).toMatchObject({
      time: TIME,
      clientIp: '192.0.2.1',
      connection: { clientPort: 4711 },
      geo: { countryCode: 'DE', asNumber: 64_500 },
      tls: { version: 'TLS 1.3', cipherSuite: 'TLS_AES_128_GCM_SHA256', serverName: undefined },
      method: 'GET',
      url: 'https://e.co/a?b=c',
      protocol: 'HTTP/2.0',
      response: {
        status: 404,
        bodySize: undefined,
        headers: { fields: [{ name: 'Content-Type', value: 'text/html' }] },
      },
    });
    expect(exchange.requestHeaders).toMatchObject({
      fields: [
        { name: 'Host', value: 'e.co' },
        { name: 'x-one', value: 'a' },
        { name: 'User-Agent', value: 'curl/8' },
      ],
      absent: [],
      unclear: new Map([['referer', '']]),
      complete: false,
      mayBeComplete: true,
      withheld: [],
    });
  });

  it.each([
    ['seconds', TIME / 1000],
    ['nanoseconds', TIME * 1e6],
    ['RFC 3339', '2026-11-21T10:00:00Z'],
  ])('pushes times as %s', async (_, EdgeStartTimestamp) => {
    expect((await one('cloudflare', JSON.stringify({ EdgeStartTimestamp, ClientIP: '::1' }))).time).toBe(TIME);
  });

  it('pushes requests without TLS', async () => {
    const { tls } = await one('cloudflare', JSON.stringify({ ClientRequestHost: 'e.co', ClientSSLProtocol: 'none' }));
    expect(tls).toEqual({ version: '', cipherSuite: '', serverName: '' });
  });
});

describe('Envoy', () => {
  const record = {
    start_time: '2026-11-21T10:00:00.000Z',
    method: 'GET',
    path: '/a?b=c',
    protocol: 'HTTP/2',
    response_code: 404,
    response_flags: '-',
    bytes_sent: 12,
    authority: 'e.co',
    user_agent: 'curl/8',
    x_forwarded_for: null,
    downstream_remote_address: '[2001:db8::1]:4711',
    requested_server_name: 'e.co',
    upstream_cluster: 'x',
  };
  const expected = {
    time: TIME,
    clientIp: '2001:db8::1',
    connection: { clientPort: 4711 },
    method: 'GET',
    target: '/a?b=c',
    url: undefined,
    protocol: 'HTTP/2.0',
    response: { status: 404, bodySize: 12 },
  };

  it('writes JSON as Istio configures it', async () => {
    const exchange = await one('envoy', JSON.stringify(record));
    expect(exchange).toMatchObject({ ...expected, tls: { serverName: 'e.co' } });
    expect(exchange.requestHeaders).toMatchObject({
      fields: [
        { name: 'Host', value: 'e.co' },
        { name: 'User-Agent', value: 'curl/8' },
      ],
      absent: ['x-forwarded-for'],
    });
  });

  it('writes JSON as Envoy Gateway configures it', async () => {
    const { path, authority, user_agent, ...rest } = record;
    const gateway = { ...rest, 'x-envoy-origin-path': path, ':authority': authority, 'user-agent': user_agent };
    expect(await one('envoy', JSON.stringify(gateway))).toMatchObject(expected);
  });

  it('writes JSON with names that the user chooses', async () => {
    const { path, ...rest } = record;
    const mapping = { fields: { target: 'req.uri', 'request_headers.X-A': 'a' } };
    const exchange = await one('envoy', JSON.stringify({ ...rest, req: { uri: '/z' }, a: 'b' }), mapping);
    expect(exchange).toMatchObject({ ...expected, target: '/z' });
    expect(exchange.requestHeaders.fields.map(field => field.name)).toEqual(['Host', 'X-A', 'User-Agent']);
  });
});

describe('Traefik', () => {
  const record = {
    ...{ ClientAddr: '192.0.2.1:4711', ClientHost: '192.0.2.1', ClientPort: '4711', DownstreamContentSize: 5 },
    ...{ DownstreamStatus: 400, RequestAddr: 'e.co:8080', RequestHost: 'e.co', RequestMethod: 'GET' },
    ...{ RequestPath: '/a?b=c', RequestProtocol: 'HTTP/2.0', RequestScheme: 'https', TLSVersion: '1.3' },
    ...{ StartUTC: '2026-11-21T10:00:00.123987654Z', time: '2026-11-21T10:00:01Z' },
    ...{ 'request_X-One': 'a', request_Cookie: 'REDACTED', 'request_User-Agent': '', 'downstream_X-Two': 'b' },
  };
  const lineOf = (changes: object) => JSON.stringify({ ...record, ...changes });

  it('has a member for each header, and withholds some', async () => {
    expect(await one('traefik', lineOf({}))).toMatchObject({
      time: Date.UTC(2026, 10, 21, 10, 0, 0, 123),
      clientIp: '192.0.2.1',
      connection: { clientPort: 4711 },
      tls: { version: 'TLS 1.3' },
      method: 'GET',
      url: 'https://e.co:8080/a?b=c',
      requestHeaders: {
        fields: [
          { name: 'Host', value: 'e.co:8080' },
          { name: 'User-Agent', value: '' },
          { name: 'X-One', value: 'a' },
        ],
        absent: [],
        complete: false,
        withheld: [],
      },
      response: { status: 400, bodySize: 5, headers: { fields: [{ name: 'X-Two', value: 'b' }] } },
    });
  });

  it('has every header if the user says so, those that it withholds too', async () => {
    const { requestHeaders, response } = await one('traefik', lineOf({}), { completeHeaders: true });
    expect(requestHeaders).toMatchObject({ complete: true, withheld: ['cookie'] });
    expect(requestHeaders.valuesOf?.('cookie')).toBeUndefined();
    expect(response?.headers).toMatchObject({ complete: true, withheld: [] });
  });

  it.each([
    ['that of a proxy, whose client is another one', { ClientHost: '198.51.100.7' }, '198.51.100.7', undefined],
    ['that of a proxy, which names several clients', { ClientHost: '198.51.100.7, ::1' }, '198.51.100.7', undefined],
    ['that of the client, where no address is forwarded', { ClientHost: 'unknown' }, '192.0.2.1', 4711],
    ['that of the client, in one member', { ClientHost: undefined, ClientPort: undefined }, '192.0.2.1', 4711],
    ['that of the client, in IPv6', { ClientHost: '::1', ClientAddr: '[::1]:80', ClientPort: '80' }, '::1', 80],
    ['not recorded', { ClientAddr: undefined, ClientPort: undefined }, '192.0.2.1', undefined],
  ])('has a port that is %s', async (_, changes, clientIp, clientPort) => {
    const exchange = await one('traefik', lineOf(changes));
    expect([exchange.clientIp, exchange.connection?.clientPort]).toEqual([clientIp, clientPort]);
  });

  it('has no TLS where the scheme says so', async () => {
    expect((await one('traefik', lineOf({ RequestScheme: 'http', TLSVersion: undefined }))).tls.version).toBe('');
    expect((await one('traefik', lineOf({ TLSVersion: undefined }))).tls.version).toBeUndefined();
  });
});

describe('an AWS application load balancer', () => {
  const line =
    'h2 2026-11-21T10:00:01.000000Z app/web/50dc6c495c0c9188 [2001:db8::1]:4711 10.0.0.1:80 0.001 0.002 0.000 404 404 34 366 ' +
    '"GET https://e.co:443/a?b=\\"c HTTP/2.0" "curl \\x22/8" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:x "Root=1-5" "e.co" ' +
    '"arn:aws:acm" 0 2026-11-21T10:00:00.000000Z "forward" "-" "-" "10.0.0.1:80" "404" "-" "-"';

  it('logs an exchange without sizes', async () => {
    expect(await one('alb', line)).toMatchObject({
      time: TIME,
      clientIp: '2001:db8::1',
      connection: { clientPort: 4711 },
      tls: { version: 'TLS 1.2', cipherSuite: 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', serverName: 'e.co' },
      method: 'GET',
      target: '/a?b="c',
      url: 'https://e.co/a?b="c',
      protocol: 'HTTP/2.0',
      requestHeaders: { fields: [{ name: 'User-Agent', value: 'curl "/8' }], complete: false },
      response: { status: 404, bodySize: undefined },
    });
  });

  it.each([
    ['an unusual port', 'GET https://e.co:8443/ HTTP/1.1', 'https://e.co:8443/'],
    ['a web socket', 'GET wss://e.co:443/ HTTP/1.1', 'https://e.co/'],
    ['plain HTTP', 'GET http://e.co:80/ HTTP/1.1', 'http://e.co/'],
  ])('logs %s', async (_, request, url) => {
    expect((await one('alb', line.replace(/GET \S+ HTTP\/2.0/, request))).url).toBe(url);
  });

  it('logs a connection without TLS, and a request without user agent', async () => {
    const plain = line.replace('h2 ', 'http ').replace('ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2', '- -');
    expect(await one('alb', plain.replace(/"curl [^ ]+"/, '"-"'))).toMatchObject({
      tls: { version: '', cipherSuite: '', serverName: '' },
      requestHeaders: { unclear: new Map([['user-agent', '-']]) },
    });
  });

  it('logs something other than a request', async () => {
    const bad = line.replace(/GET \S+ HTTP\/2.0/, '- http://e.co:80- -');
    expect(await read(`${line}\n${bad}\nhello\n${line.slice(0, 200)}\n`)).toMatchObject({
      exchanges: [{}],
      skipped: [
        [2, 'traffic/no-request'],
        [3, 'traffic/malformed-line'],
        [4, 'traffic/malformed-line'],
      ],
    });
  });
});

describe('a W3C extended log', () => {
  const CLOUDFRONT =
    '#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) ' +
    'cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-host-header cs-protocol ssl-protocol ssl-cipher ' +
    'cs-protocol-version c-port sc-content-type sc-content-len\n';
  const values =
    '2026-11-21 10:00:00 FRA2 999 192.0.2.1 GET d1.cloudfront.net /a%20b 200 - Mozilla/5.0%20(X) b=c - Hit e.co https ' +
    'TLSv1.3 TLS_AES_128_GCM_SHA256 HTTP/2.0 4711 text/html 12';

  it('is the standard log of CloudFront', async () => {
    expect(await one('w3c', CLOUDFRONT + values.replaceAll(' ', '\t'))).toMatchObject({
      time: TIME,
      clientIp: '192.0.2.1',
      connection: { clientPort: 4711 },
      tls: { version: 'TLS 1.3', cipherSuite: 'TLS_AES_128_GCM_SHA256' },
      method: 'GET',
      target: '/a%20b?b=c',
      url: 'https://e.co/a%20b?b=c',
      protocol: 'HTTP/2.0',
      requestHeaders: {
        fields: [
          { name: 'Host', value: 'e.co' },
          { name: 'User-Agent', value: 'Mozilla/5.0 (X)' },
        ],
        unclear: new Map([
          ['referer', '-'],
          ['cookie', '-'],
        ]),
      },
      response: { status: 200, bodySize: 12 },
    });
  });

  const IIS = '#Software: Microsoft Internet Information Services 10.0\n#Version: 1.0\n#Date: 2026-11-21 00:00:00\n';

  it('is the log of IIS, whose fields may change within the file', async () => {
    const text =
      `${IIS}#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port c-ip cs(User-Agent) sc-status\r\n` +
      '2026-11-21 10:00:00 10.0.0.1 GET /a b=c 443 192.0.2.1 Mozilla/5.0+(X) 404\r\n' +
      '2026-11-21 10:00:00 10.0.0.1 GET /with+plus - 443 192.0.2.1 - 200\r\n' +
      '#Fields: time cs-method cs-uri-stem cs-uri-query cs-version cs-host\r\n' +
      '10:00:00 HEAD / - HTTP/1.1 e.co\r\n';
    const { format, exchanges, skipped } = await read(text);
    expect([format, skipped]).toEqual(['w3c', []]);
    expect(exchanges).toMatchObject([
      {
        place: { number: 5 },
        time: TIME,
        clientIp: '192.0.2.1',
        connection: { serverIp: '10.0.0.1', serverPort: 443 },
        target: '/a?b=c',
        requestHeaders: { fields: [{ name: 'User-Agent', value: 'Mozilla/5.0 (X)' }] },
        response: { status: 404 },
      },
      { place: { number: 6 }, target: undefined, requestHeaders: { unclear: new Map([['user-agent', '-']]) } },
      {
        place: { number: 8 },
        time: TIME,
        method: 'HEAD',
        target: '/',
        protocol: 'HTTP/1.1',
        requestHeaders: { fields: [{ name: 'Host', value: 'e.co' }] },
      },
    ]);
  });

  it('may have values in quotes', async () => {
    const text = '#Fields: cs-method cs(A) cs-uri\nGET "a ""b"" c" /x\n';
    expect((await one('w3c', text)).requestHeaders.fields).toEqual([{ name: 'A', value: 'a "b" c' }]);
  });

  it.each([
    ['a line before the fields are named', '#Version: 1.0\nGET /\n', [2, 'traffic/malformed-line']],
    ['a line of other fields', '#Fields: cs-method cs-uri\nGET\n', [2, 'traffic/malformed-line']],
    ['a quote that is not closed', '#Fields: cs-method cs-uri\nGET "/\n', [2, 'traffic/malformed-line']],
    ['a command of FTP', '#Fields: cs-method cs-uri\n[2]USER anonymous\n', [2, 'traffic/no-request']],
    ['a line without a method', '#Fields: cs-method cs-uri\n- /\n', [2, 'traffic/no-request']],
  ])('may have %s, which is skipped', async (_, text, skipped) => {
    expect(await read(text)).toMatchObject({ exchanges: [], skipped: [skipped] });
  });
});
