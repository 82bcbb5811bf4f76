import type { Exchange } from '@tollgate/traffic';
import fc from 'fast-check';

/** The independent parts of an exchange. Everything else follows from them, such as the URL. */
export interface Parts {
  readonly method: string;
  readonly host: string;
  /** As sent, still encoded. */
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly clientIp: string;
  readonly country: string;
  readonly status: number;
}

export const DEFAULT_PARTS: Parts = {
  ...{ method: 'GET', host: 'example.com', path: '/', query: [], headers: [] },
  ...{ clientIp: '192.0.2.1', country: 'FR', status: 200 },
};

/** Builds a whole exchange from its parts. */
export function exchangeOf({ method, host, path, query, headers, clientIp, country, status }: Parts): Exchange {
  const facts = { absent: [], complete: true, withheld: [] };
  const fields = headers.map(([name, value]) => ({ name, value }));
  const search = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  const target = search === '' ? path : `${path}?${search}`;
  return {
    place: { file: 'a', number: 1, unit: 'entry' },
    time: 0,
    // The name in the handshake may be another one.
    tls: { version: 'TLS 1.3', cipherSuite: undefined, serverName: host === 'www.e.co' ? 'e.co' : host },
    protocol: 'HTTP/1.1',
    geo: { countryCode: country },
    ...{ method, target, clientIp, url: `https://${host}${target}` },
    requestHeaders: { ...facts, fields: [{ name: 'Host', value: host }, ...fields] },
    response: { status, bodySize: 0, headers: { ...facts, fields: fields.filter(({ name }) => name === 'X') } },
  };
}

const VALUE = fc.constantFrom('1', '2', 'a', '');
/** Some of them are also methods and hosts. */
const FIELD_VALUE = fc.constantFrom('1', '2', 'a', '', 'A', 'e.co');

/** Values on and next to every boundary of the conditions. */
const PARTS: fc.Arbitrary<Parts> = fc.record({
  method: fc.constantFrom('A', 'B', 'C', 'GET', 'POST', 'a'),
  host: fc.constantFrom('e.co', 'www.e.co', 'example.com', 'E.CO'),
  path: fc.constantFrom('/', '/a', '/a/', '/ab', '/b', '/a/b', '/B', '/a%62', '/a.b', '/c'),
  query: fc.array(fc.tuple(fc.constantFrom('q', 'r'), VALUE), { maxLength: 2 }),
  headers: fc.array(fc.tuple(fc.constantFrom('X', 'Y', 'x', 'User-Agent', 'Content-Length'), FIELD_VALUE), {
    maxLength: 3,
  }),
  clientIp: fc.constantFrom('10.1.2.3', '10.0.0.0', '10.2.0.1', '9.255.255.255', '11.0.0.0', '::1', '2001:db8::1'),
  country: fc.constantFrom('DE', 'FR', '', 'XX'),
  status: fc.constantFrom(200, 399, 400, 404, 500),
});

/** Fixed sample of exchanges. */
export const EXCHANGES: readonly Exchange[] = fc.sample(PARTS, { numRuns: 1500, seed: 1 }).map(exchangeOf);

export const CONDITIONS = [
  ...["req.Method == 'A'", "req.Method != 'A'", "req.Method in ['A', 'B']", "req.Method == 'B'", "req.Method < 'B'"],
  ...["req.Path == '/a'", "req.Path.startsWith('/a')", "req.Path.startsWith('/b')", "!(req.Path.endsWith('b'))"],
  ...["req.Path in ['/a', '/ab', '/b']", "req.Path.matches('^/a')", "req.Path.contains('.')", 'size(req.Path) > 2'],
  ...["req.URL.contains('/a')", "req.URL.startsWith('https://e.co/')", "req.URL.endsWith('q=1')", "req.URL == ''"],
  ...["req.URL == 'https://e.co/a'", "req.URL.contains('?')", "req.URL.matches('^https://[^/]+/b')"],
  ...["'q' in req.Params", "req.Params['q'][0] == '1'", "req.Params['q'][0] != '1'", "hasQueryParam('r')"],
  ...["req.Host == 'e.co'", "req.Host.endsWith('.co')", "req.Host in ['e.co', 'www.e.co']", "req.Host != 'e.co'"],
  ...["req.Headers['X'][0] == '1'", "req.Headers['X'][0] != '1'", "'X' in req.Headers", "!hasReqHeader('X')"],
  ...["req.Headers['X'][0] in ['1', '2']", "'1' in req.Headers['X']", "req.Headers['Y'][0].startsWith('a')"],
  ...["size(req.Headers['X']) > 1", "req.Headers['X'][0] == req.Headers['Y'][0]", "'x' in req.Headers"],
  ...["inCidrRange(conn.ClientIP, '10.0.0.0/8')", "inCidrRange(conn.ClientIP, '10.1.0.0/16')"],
  ...["conn.ClientIP == '::1'", "!inCidrRange(conn.ClientIP, '10.0.0.0/8')", "conn.ClientIP.contains(':')"],
  ...["inCidrRanges(conn.ClientIP, ['10.0.0.0/9', '10.128.0.0/9'])"],
  ...["conn.Geo.CountryCode == 'DE'", "conn.Geo.CountryCode in ['DE', 'FR']", "conn.Geo.CountryCode == 'de'"],
  ...['req.ContentLength > 1', 'req.ContentLength <= 1', 'req.ContentLength < 0 && req.ContentLength > 5'],
  ...["req.Method == 'A' == true", "!(req.Headers['X'][0] != '1')", "req.Method == 'A' || req.Method == 'B'"],
  ...['req.ClientTLS.SNI == req.Host', 'req.ClientTLS.SNI != req.Host', "req.ClientTLS.SNI == 'e.co'"],
  ...["req.Headers['X'][0] == req.Method", "req.Host != getReqHeader('X')[0]", "req.Host == req.Headers['Y'][0]"],
  ...["req.Params['q'][0] == req.Headers['X'][0]", "req.Method in [req.Headers['Y'][0], 'B']"],
  ...["req.Path != '/a' && req.Path != '/b'", "req.Method != 'A' || req.Method != 'B'", "'a' == 'b'", "'a' != 'b'"],
];

export const OUTBOUND_CONDITIONS = [
  ...CONDITIONS,
  ...['res.StatusCode >= 400', 'res.StatusCode < 400', "res.StatusCode == '404'", 'res.StatusCode in [200, 404]'],
  ...["res.StatusCode.startsWith('4')", "'X' in res.Headers", "res.Headers['X'][0] == '1'"],
];

/** How the modern profile writes what the conditions read. */
const MODERN_NAMES: readonly (readonly [written: RegExp, modern: string])[] = [
  [/req\.Headers\['X'\]/g, "req.headers['x']"],
  [/req\.Headers\['Y'\]/g, "req.headers['y']"],
  [/res\.Headers\['X'\]/g, "res.headers['x']"],
  [/'X' in (re[qs])\.Headers/g, "'x' in $1.headers"],
  [/req\.Headers/g, 'req.headers'],
  [/req\.Method/g, 'req.method'],
  [/req\.Path/g, 'req.url.path'],
  [/req\.URL/g, 'req.url'],
  [/req\.Params/g, 'req.url.query_params'],
  [/req\.Host/g, 'req.host'],
  [/req\.ContentLength/g, 'req.content_length'],
  [/req\.ClientTLS\.SNI/g, 'conn.tls.sni'],
  [/conn\.ClientIP/g, 'conn.client_ip'],
  [/conn\.Geo\.CountryCode/g, 'conn.geo.country_code'],
];

function inModern(condition: string): string {
  return MODERN_NAMES.reduce((text, [written, modern]) => text.replace(written, modern), condition);
}

export const MODERN_CONDITIONS = [
  ...CONDITIONS.map(inModern),
  ...["req.url.raw_path == '/a%62'", "req.url.raw_path.startsWith('/a')", 'req.url.path != req.url.raw_path'],
  ...[
    "req.url.path.startsWith('/a') && req.url.startsWith('https://e.co/')",
    "req.url.path == '/ab' && !req.url.contains('/ab')",
  ],
  ...[
    "!req.url.path.contains('/a')",
    "!req.url.path.contains('b')",
    "!req.url.contains('/b')",
    "!req.host.contains('e.co')",
  ],
  ...[
    "req.url.path.contains('/a') && req.url.path.contains('/b')",
    "req.url.path.contains('a') && req.url.path.contains('/') && req.url.path.contains('b')",
  ],
  ...[
    "req.url.path.split('/')[1] == 'a'",
    "req.url.path.substring(1) == 'a'",
    "req.url.path.replace('/', '') == 'ab'",
    "req.url.path.indexOf('b') == 2",
  ],
  ...[
    "req.url.path == '/ab' && req.url.path.substring(2) == 'b'",
    "req.host.lowerAscii() == 'e.co'",
    "req.url.path.charAt(1) == 'a'",
  ],
  ...[
    "'X' in req.headers",
    "req.headers['x'].size() == 0",
    "req.headers['x'].exists(v, v in ['1', '2'])",
    "req.url.query == 'q=1'",
  ],
  ...[
    'req.ts.header_received.getMonth() == 12',
    'req.ts.header_received.getDayOfWeek() in [6, 7]',
    'req.ts.header_received.getHours() < 24',
  ],
  ...[
    'req.ts.header_received.getFullYear() == 1970',
    'req.ts.header_received.getDate() == 32',
    "req.host < 'f' && req.host > 'e'",
  ],
];

export const MODERN_RESPONSE_CONDITIONS = [
  ...MODERN_CONDITIONS,
  ...['res.status_code >= 400', 'res.status_code < 400', 'res.status_code == 404', 'res.status_code in [200, 404]'],
  ...["string(res.status_code).startsWith('4')", "'x' in res.headers", "res.headers['x'][0] == '1'"],
];
