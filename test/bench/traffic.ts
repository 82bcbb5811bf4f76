import {
  type Activation,
  INT,
  listOf,
  mapOf,
  type ObjectDecl,
  objectType,
  STRING,
  type VariableDecl,
} from '@tollgate/cel';

/** What the measured expressions read. Plain data, as `JSON.parse` would give it. */
export interface Exchange extends Activation {
  readonly req: {
    readonly Method: string;
    readonly URL: string;
    readonly Host: string;
    readonly Path: string;
    readonly UserAgent: string;
    readonly ContentLength: number;
    readonly Headers: Readonly<Record<string, readonly string[]>>;
    readonly Tags: readonly string[];
    readonly Numbers: readonly number[];
    readonly Body: Readonly<
      Record<string, Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>>
    >;
    readonly Nested: Nested;
  };
  readonly res: { readonly StatusCode: number; readonly Latency: number };
  readonly conn: { readonly Geo: { readonly CountryCode: string }; readonly TLS: { readonly Version: string } };
}

interface Nested {
  readonly b: { readonly c: { readonly d: { readonly e: { readonly f: { readonly g: { readonly h: string } } } } } };
}

const MAP_OF_TEXT = mapOf(STRING, STRING);

/** The same for the checker. */
export const VARIABLES: readonly VariableDecl[] = [
  { name: 'req', type: objectType('Request') },
  { name: 'res', type: objectType('Response') },
  { name: 'conn', type: objectType('Connection') },
];

export const OBJECTS: readonly ObjectDecl[] = [
  object('Request', {
    Method: STRING,
    URL: STRING,
    Host: STRING,
    Path: STRING,
    UserAgent: STRING,
    ContentLength: INT,
    Headers: mapOf(STRING, listOf(STRING)),
    Tags: listOf(STRING),
    Numbers: listOf(INT),
    Body: mapOf(STRING, mapOf(STRING, mapOf(STRING, MAP_OF_TEXT))),
    Nested: objectType('B'),
  }),
  object('Response', { StatusCode: INT, Latency: INT }),
  object('Connection', { Geo: objectType('Geo'), TLS: objectType('TLS') }),
  object('Geo', { CountryCode: STRING }),
  object('TLS', { Version: STRING }),
  object('B', { b: objectType('C') }),
  object('C', { c: objectType('D') }),
  object('D', { d: objectType('E') }),
  object('E', { e: objectType('F') }),
  object('F', { f: objectType('G') }),
  object('G', { g: objectType('H') }),
  object('H', { h: STRING }),
];

function object(name: string, fields: Readonly<Record<string, VariableDecl['type']>>): ObjectDecl {
  return { name, fields: new Map(Object.entries(fields).map(([field, type]) => [field, { type }])) };
}

const METHODS = ['GET', 'GET', 'GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'];
const COUNTRIES = ['US', 'DE', 'FR', 'GB', 'CN', 'RU', 'BR', 'IN', 'JP', 'CA', 'AU'];
const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36',
  'curl/8.5.0',
  'Googlebot/2.1 (+http://www.google.com/bot.html)',
  'python-requests/2.31.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 Version/17.5 Safari/605.1.15',
];
const PATHS = ['/', '/users/42/orders', '/api/v2/items.json', '/wp-login.php', '/admin/panel', '/static/app.js'];
const EXTRA_HEADERS = [
  'Accept',
  'Accept-Language',
  'X-Request-Id',
  'Cookie',
  'Referer',
  'X-Forwarded-For',
  'Authorization',
];

/** Text as it comes from a socket: a string of its own, that no other is identical to. */
function received(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

/**
 * The exchange with this number. Numbers, texts and the shape of the headers differ; the same number gives equal data.
 * @param items in each of its lists
 */
export function exchange(seed: number, items = 100): Exchange {
  const pick = <T>(items: readonly T[], salt: number): T =>
    items[(seed * 7 + salt * 13 + (seed >> 3)) % items.length] as T;
  const path = received(pick(PATHS, 1) + (seed % 5 === 0 ? '?page=1' : ''));
  const host = received(`${pick(['www', 'api', 'shop'], 2)}.example.com`);
  const headers: Record<string, readonly string[]> = {};
  for (let i = 0; i < EXTRA_HEADERS.length; i++) {
    if (((seed >> (i % 4)) + i) % 3 === 0) headers[EXTRA_HEADERS[i] as string] = [received(`value ${seed % 10}`)];
  }
  const userAgent = received(pick(AGENTS, 3));
  headers['User-Agent'] = [userAgent];
  return {
    req: {
      Method: received(pick(METHODS, 4)),
      URL: received(`https://${host}${path}`),
      Host: host,
      Path: path,
      UserAgent: userAgent,
      ContentLength: (seed * 104_729) % 3_000_000,
      Headers: headers,
      Tags: Array.from({ length: items }, (_, i) => received(`tag-${(i * 7 + seed) % 120}`)),
      Numbers: Array.from({ length: items }, (_, i) => (i * 31 + seed) % 1000),
      Body: { a: { b: { c: { d: received(pick(['x', 'y', 'longer text'], 5)) } } } },
      Nested: { b: { c: { d: { e: { f: { g: { h: received(pick(['x', 'y', 'z'], 6)) } } } } } } },
    },
    res: { StatusCode: pick([200, 200, 204, 301, 404, 500, 503], 7), Latency: (seed * 31) % 500 },
    conn: {
      Geo: { CountryCode: received(pick(COUNTRIES, 8)) },
      TLS: { Version: received(pick(['tls1.2', 'tls1.3'], 9)) },
    },
  };
}
