import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../exchange/exchange.ts';
import { DEFAULT_TRAFFIC_LIMITS } from '../input/lines.ts';
import { logFormatFault, parseLogFormat, readLogFormat } from './read-log-format.ts';

async function read(format: string, text: string) {
  async function* bytes() {
    yield Buffer.from(text);
  }
  const exchanges: Exchange[] = [];
  const skipped: unknown[] = [];
  const source = { bytes: bytes(), file: 'a.log', ...DEFAULT_TRAFFIC_LIMITS };
  for await (const batch of readLogFormat(source, parseLogFormat(format))) {
    exchanges.push(...batch.exchanges);
    skipped.push(...batch.skipped.map(({ place, reason }) => [place.number, reason]));
  }
  return { exchanges, skipped };
}

async function one(format: string, line: string): Promise<Exchange> {
  const { exchanges, skipped } = await read(format, line);
  expect(skipped).toEqual([]);
  expect(exchanges).toHaveLength(1);
  return exchanges[0]!;
}

const NO_HEADERS = { fields: [], absent: [], complete: false, withheld: [] };
const TIME = Date.parse('2026-11-21T10:00:00Z');

describe('a log format of nginx', () => {
  it('reads all its variables', async () => {
    const format =
      '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" ' +
      '$http_host $scheme $ssl_protocol $ssl_cipher $ssl_server_name $sent_http_content_type';
    const line =
      '192.0.2.1 - a b [21/Nov/2026:11:00:00 +0100] "GET /a?b=c HTTP/2.0" 200 12 "-" "Mozilla \\x22x\\x22" ' +
      'e.co:8443 https TLSv1.3 TLS_AES_128_GCM_SHA256 e.co text/html; charset=utf-8';
    expect(await one(format, line)).toMatchObject({
      time: TIME,
      clientIp: '192.0.2.1',
      tls: { version: 'TLS 1.3', cipherSuite: 'TLS_AES_128_GCM_SHA256', serverName: 'e.co' },
      method: 'GET',
      target: '/a?b=c',
      url: 'https://e.co:8443/a?b=c',
      protocol: 'HTTP/2.0',
      requestHeaders: {
        fields: [
          { name: 'User-Agent', value: 'Mozilla "x"' },
          { name: 'Host', value: 'e.co:8443' },
        ],
        unclear: new Map([['referer', '-']]),
        complete: false,
      },
      response: {
        status: 200,
        headers: { fields: [{ name: 'Content-Type', value: 'text/html; charset=utf-8' }] },
        bodySize: 12,
      },
    });
  });

  it.each([
    ['a host beside the target', '$scheme://$http_host$request_uri', 'https://e.co/a?b', { url: 'https://e.co/a?b' }],
    [
      'a host without its port',
      '$server_protocol $scheme://$host$request_uri',
      'HTTP/1.1 https://e.co/a?b',
      { url: undefined, scheme: 'https', hostName: 'e.co' },
    ],
    [
      'a host that may be a name from the configuration',
      '$server_protocol $host$request_uri',
      'HTTP/1.0 e.co/a',
      { hostName: undefined },
    ],
    [
      'a host without a target',
      '$request_method $host$request_uri',
      'OPTIONS e.co*',
      { target: undefined, url: undefined },
    ],
    ['names in braces', '${request_method}:${request_uri}', 'GET:/a', { method: 'GET', target: '/a' }],
    ['the time in ISO 8601', '$time_iso8601 $request_uri', '2026-11-21T11:00:00+01:00 /', { time: TIME }],
    ['the time of the answer', '$msec $request_uri', `${TIME / 1000}.250 /`, { time: TIME + 250 }],
    ['the time it took', '$msec $request_time $request_uri', `${TIME / 1000}.250 0.250 /`, { time: TIME }],
    ['no TLS', '$ssl_protocol $request_uri', '- /', { tls: { version: '', cipherSuite: '', serverName: '' } }],
    ['no status', '$status $request_uri', '000 /', { response: undefined }],
    ['text with spaces before a number', '$http_user_agent $status', 'a 12 b c 404', { response: { status: 404 } }],
    ['a path that may have been changed', '$uri', '/index.html', { target: undefined }],
    ['a sign at the end', '"$request_uri";', '"/a";', { target: '/a' }],
    ['bytes that are escaped', '"$request_uri"', String.raw`"/\xC3\xA4\x22\x5C"`, { target: '/ä"\\' }],
    ['bytes that are not', 'escape=none $request_uri', String.raw`/\x41"`, { target: String.raw`/\x41"` }],
    ['JSON', 'escape=json {"u":"$request_uri"}', String.raw`{"u":"/\"\\\u0007ä"}`, { target: '/"\\\u0007ä' }],
    [
      'an absent header in JSON',
      'escape=json "$http_a" $request_uri',
      '"" /',
      { requestHeaders: { unclear: new Map([['a', '']]) } },
    ],
    ['the country', '$request_uri $geoip2_data_country_code', '/ DE', { geo: { countryCode: 'DE' } }],
    ['no country', '$request_uri $geoip_country_code', '/ -', { geo: undefined }],
    [
      'the city',
      '"$geoip2_city_name" $geoip_latitude $status',
      '"New York" 40.7 200',
      { geo: { city: 'New York', latitude: '40.7' } },
    ],
    [
      'ports',
      '$request_uri $remote_port $server_addr:$server_port',
      '/ 5 192.0.2.1:443',
      { connection: { clientPort: 5, serverIp: '192.0.2.1', serverPort: 443 } },
    ],
    ['no address', '$remote_addr $request_uri', 'unix: /', { clientIp: undefined, target: '/' }],
  ])('reads %s', async (_, format, line, expected) => {
    expect(await one(format, line)).toMatchObject(expected);
  });

  it.each([
    ['with its name', `log_format main '$status ' '"$request_uri"';`],
    ['with quotes inside', `log_format main escape=default "$status \\"$request_uri\\"";`],
    ['over several lines', `  log_format  main\n    '$status '\n    '"$request_uri"'\n;`],
  ])('may be the directive %s', async (_, directive) => {
    expect(await one(directive, '404 "/a"')).toMatchObject({ target: '/a', response: { status: 404 } });
  });
});

describe('a log format of Apache', () => {
  it('reads all its directives', async () => {
    const format =
      '%V:%p %a %u %t \\"%r\\" %>s %b "%{Referer}i" "%{User-Agent}i" %{SSL_PROTOCOL}x %{SSL_CIPHER}x "%{X-Cache}o" %D %% %{UNIQUE_ID}e';
    const line =
      'e.co:443 2001:db8::1 - [21/Nov/2026:10:00:00 +0000] "GET /a?b=\\"c HTTP/1.1" 200 - "-" "a \\\\ b" TLSv1.2 AES128-SHA "HIT" 12 % x';
    expect(await one(format, line)).toMatchObject({
      time: TIME,
      clientIp: '2001:db8::1',
      tls: { version: 'TLS 1.2', cipherSuite: 'TLS_RSA_WITH_AES_128_CBC_SHA' },
      method: 'GET',
      target: '/a?b="c',
      scheme: 'https',
      requestHeaders: { fields: [{ name: 'User-Agent', value: 'a \\ b' }], unclear: new Map([['referer', '-']]) },
      response: { status: 200, bodySize: 0, headers: { fields: [{ name: 'X-Cache', value: 'HIT' }] } },
    });
  });

  it.each([
    ['path and query', '%m %U%q %H', 'GET /a?b=c HTTP/1.1', { method: 'GET', target: undefined, protocol: 'HTTP/1.1' }],
    // Apache decodes it, and removes dots and double slashes.
    ['a path that was decoded', '%m %U%q', 'GET /a b', { target: undefined }],
    ['a path alone', '%m %U', 'GET /a', { target: undefined }],
    ['a status before redirects', '%m %s', 'GET 200', { response: undefined }],
    ['a header that is logged on failures only', '%m %400{A}i', 'GET -', { requestHeaders: NO_HEADERS }],
    ['the time in seconds', '%m %{sec}t', `GET ${TIME / 1000}`, { time: TIME }],
    ['the time in microseconds', '%m %{begin:usec}t', `GET ${TIME * 1000}`, { time: TIME }],
    ['a time with its zone', '%m %{%Y-%m-%dT%T%z}t', 'GET 2026-11-21T11:00:00+0100', { time: TIME }],
    ['a time of an unknown zone', '%m %{%Y-%m-%dT%T}t', 'GET 2026-11-21T11:00:00', { time: undefined }],
    ['the end of the request', '%m %{end:sec}t', 'GET 1', { time: undefined }],
    ['a host name for the client', '%h %m', 'client.example GET', { clientIp: undefined }],
    ['the name of the virtual host', '%v %m', 'e.co GET', { url: undefined }],
    ['the country', '%m %{MM_COUNTRY_CODE}e', 'GET DE', { geo: { countryCode: 'DE' } }],
    [
      'ports',
      '%m %{remote}p %A:%{local}p',
      'GET 5 192.0.2.1:443',
      { connection: { clientPort: 5, serverIp: '192.0.2.1', serverPort: 443 } },
    ],
    ['no TLS', '%m %{SSL_PROTOCOL}x', 'GET -', { tls: { version: '', cipherSuite: '', serverName: '' } }],
    ['the whole directive', 'LogFormat "%m \\"%{A}i\\"" short', 'GET "x"', { method: 'GET' }],
    [
      'a format by its name',
      'common',
      '192.0.2.1 - - [21/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 1',
      { time: TIME },
    ],
  ])('reads %s', async (_, format, line, expected) => {
    expect(await one(format, line)).toMatchObject(expected);
  });
});

describe('a format string of Envoy', () => {
  const middle = '204 - 154 0 226 100 "10.0.35.28" "curl \\"/8" "cc21" "e.co" "10.0.2.1:80"';
  const begin = '[2026-11-21T10:00:00.000Z] "POST /a?b=c HTTP/2"';
  const expected = {
    time: TIME,
    method: 'POST',
    target: '/a?b=c',
    protocol: 'HTTP/2.0',
    response: { status: 204, bodySize: 0 },
    requestHeaders: {
      fields: [
        { name: 'Host', value: 'e.co' },
        { name: 'X-FORWARDED-FOR', value: '10.0.35.28' },
        { name: 'USER-AGENT', value: 'curl \\"/8' },
        { name: 'X-REQUEST-ID', value: 'cc21' },
      ],
    },
  };

  it('is named after Envoy', async () => {
    expect(await one('envoy', `${begin} ${middle}`)).toMatchObject(expected);
  });

  it('is named after Istio', async () => {
    const line = `${begin} 204 - via_upstream - "-" ${middle.slice(6)} outbound|80||web - 10.0.0.1:443 [2001:db8::1]:4711 e.co default`;
    expect(await one('istio', line)).toMatchObject({
      ...expected,
      clientIp: '2001:db8::1',
      connection: { clientPort: 4711, serverIp: '10.0.0.1', serverPort: 443 },
      tls: { serverName: 'e.co' },
    });
  });

  it.each([
    [
      'a header that was not sent',
      '%REQ(:METHOD)% "%REQ(X-A)%"',
      'GET "-"',
      { requestHeaders: { unclear: new Map([['x-a', '-']]) } },
    ],
    ['a header that may be cut off', '%REQ(:METHOD)% "%REQ(X-A):10%"', 'GET "a"', { requestHeaders: NO_HEADERS }],
    ['one of two headers', '%REQ(:METHOD)% "%REQ(X-A?X-B)%"', 'GET "a"', { requestHeaders: NO_HEADERS }],
    ['TLS', '%REQ(:SCHEME)% %DOWNSTREAM_TLS_VERSION%\\n', 'https TLSv1.3', { tls: { version: 'TLS 1.3' } }],
  ])('may have %s', async (_, format, line, what) => {
    expect(await one(format, line)).toMatchObject(what);
  });
});

describe('a line', () => {
  it.each([
    ['of another format', '$remote_addr "$request"', 'hello', 'traffic/malformed-line'],
    ['that is cut off', '$remote_addr "$request"', '192.0.2.1 "GET /', 'traffic/malformed-line'],
    ['that goes on', '$remote_addr "$request"', '192.0.2.1 "GET / HTTP/1.1" x', 'traffic/malformed-line'],
    ['without a request', '$remote_addr "$request"', '192.0.2.1 "-"', 'traffic/no-request'],
    ['with neither method nor target', '$request_method $request_uri', '- -', 'traffic/no-request'],
    ['that is dear to take apart', '"$a" "$b" "$c" $status', `${'"x" '.repeat(50_000)}y`, 'traffic/malformed-line'],
  ])('%s is skipped', async (_, format, line, reason) => {
    expect(await read(format, line)).toEqual({ exchanges: [], skipped: [[1, reason]] });
  });
});

describe('an invalid log format', () => {
  it.each([
    ['$remote_addr$status', '`$remote_addr` and `$status` have no separator between them'],
    ['%h%u', '`%h` and `%u` have no separator between them'],
    ['$host$request_uri$args', '`$request_uri` and `$args` have no separator between them'],
    ['%h %{Referer', '`%{Referer` is not a log format directive'],
    ["log_format main '$status", 'unclosed quote'],
    ['log_format main "nothing"', 'expected a log format with at least one variable'],
    ['main', 'expected a log format of nginx'],
  ])('%s: is reported with the reason', (format, message) => {
    expect(logFormatFault(format)).toContain(message);
  });
});

describe('a value that a server writes', () => {
  const value = fc.string({ unit: 'binary', maxLength: 12 }).filter(text => !['', '-'].includes(text));
  // Blanks around the value of a header are not part of it.
  const sent = value.filter(text => !/^[ \t]|[ \t]$/.test(text));
  const records = fc.record({ agent: sent, path: sent, header: sent, status: fc.integer({ min: 100, max: 999 }) });
  const hex = (byte: number) => `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  const bytesEscaped = (text: string) =>
    [...Buffer.from(text)]
      .map(byte => (byte < 32 || byte > 126 || byte === 34 || byte === 92 ? hex(byte) : String.fromCharCode(byte)))
      .join('');

  it.each([
    ['by nginx', 'escape=default "$http_user_agent" /$request_uri $http_x $status', bytesEscaped],
    [
      'by nginx as JSON',
      'escape=json "$http_user_agent" /$request_uri "$http_x" $status',
      (text: string) => JSON.stringify(text).slice(1, -1),
    ],
    ['by Apache', '"%{User-Agent}i" /%{Path}i "%{X}i" %>s', bytesEscaped],
  ])('%s is read back unchanged', async (_, format, escaped) => {
    await fc.assert(
      fc.asyncProperty(records, async ({ agent, path, header, status }) => {
        // A target without spaces leaves no doubt about what follows it.
        const target = path.replaceAll(' ', '').replace(/^\t+|\t+$/g, '');
        fc.pre(target !== '' && target !== '-');
        const quote = format.includes('"$http_x"') || format.includes('%{X}i') ? '"' : '';
        const line = `"${escaped(agent)}" /${escaped(target)} ${quote}${escaped(header)}${quote} ${status}`;
        const { requestHeaders, response } = await one(format, line);
        const texts = requestHeaders.fields.map(field => field.value);
        expect(texts.filter(text => text !== target)).toEqual([agent, header].filter(text => text !== target));
        expect(response?.status).toBe(status);
      }),
      { numRuns: 200 },
    );
  });
});
