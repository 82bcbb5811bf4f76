import { connect } from 'node:net';
import type { Exchange, HeaderField } from '@tollgate/traffic';
import fc from 'fast-check';

/** A request as its bytes say it. */
export interface SentRequest {
  readonly method: string;
  readonly target: string;
  readonly version: '1.0' | '1.1';
  /** Also the host, where there is one. */
  readonly headers: readonly HeaderField[];
  /** An address of the loopback interface. */
  readonly from: string;
  /** A line that is no header, or longer than a server accepts, before the header with this number. */
  readonly broken?: { readonly line: string; readonly before: number };
}

/** Values that logs confuse: no header, an empty one, the sign for a missing value, what formats escape, lists. */
const VALUES: readonly (string | undefined)[] = [
  ...[
    undefined,
    undefined,
    '',
    '-',
    'k1',
    'k1',
    'k2',
    'a "b"',
    'back\\slash',
    'ü',
    'tab\tin',
    'null',
    '"-"',
    '(none)',
    'a,b',
    'a, b',
    '-, -',
    '  ',
    '\t',
    ' k1 ',
    '\\"',
    'a\\tb',
    '\\x41',
    '%22',
    '{"a":1}',
    "it's",
    '$x',
    '😀',
  ],
];
const AGENTS: readonly (string | undefined)[] = [undefined, '', '-', 'curl/8.1', 'Mozilla/5.0 (X11; "q")', 'sqlmap'];
const HOSTS: readonly (string | undefined)[] = [
  ...[
    'a.example',
    'a.example',
    'www.a.example',
    'A.Example',
    'a.example:8080',
    'a.example:80',
    'a.example.',
    '192.0.2.7',
  ],
  ...['[2001:db8::1]:81', 'b.example', undefined, ''],
];
const TARGETS: readonly string[] = [
  ...[
    '/',
    '/a',
    '/a',
    '/admin',
    '/admin/users',
    '/A',
    '/%61dmin',
    '/a%20b',
    '/%C3%BC',
    '//admin',
    '/a/../admin',
    '/a"b',
  ],
];
const QUERIES: readonly string[] = ['', 'q=1', 'q=a+b', 'q=%22x%22', 'q="x"', 'debug&q='];

/** Stands for the host in a header next to it. */
const SAME = 'the host';
/** Of targets that are whole URLs, as clients of a proxy send them. */
const AUTHORITIES: readonly (string | undefined)[] = [
  ...[undefined, undefined, undefined, undefined, undefined, SAME, SAME],
  'B.Example:80',
];

/** Requests for whole URLs, with every host and next to it. */
export const WHOLE_URLS: readonly SentRequest[] = HOSTS.flatMap(host =>
  (['1.0', '1.1'] as const).flatMap(version =>
    [host, 'B.Example', 'b.example:80'].flatMap(authority =>
      host && authority
        ? [
            {
              ...{ method: 'GET', target: `http://${authority}/a?`, version, from: '127.0.0.1' },
              headers: [
                { name: 'Host', value: host },
                { name: 'Connection', value: 'close' },
              ],
            },
          ]
        : [],
    ),
  ),
);

/** Any request that an HTTP client can send, with its number in the query. */
export const REQUESTS: fc.Arbitrary<SentRequest> = fc
  .record({
    method: fc.constantFrom('GET', 'GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'),
    target: fc.constantFrom(...TARGETS),
    query: fc.constantFrom(...QUERIES),
    version: fc.constantFrom<SentRequest['version'][]>('1.1', '1.1', '1.1', '1.0'),
    host: fc.constantFrom(...HOSTS),
    agent: fc.constantFrom(...AGENTS),
    key: fc.constantFrom(...VALUES),
    referer: fc.constantFrom(undefined, undefined, '', '-', 'https://a.example/x?y=1'),
    cookie: fc.constantFrom(undefined, undefined, '', '-', ' ', 'session=1; theme=dark'),
    // Values of the same header in a line of its own each.
    repeated: fc.constantFrom<(readonly string[])[]>([], [], [], ['k1'], ['k2'], [''], ['-'], ['k1', 'k2']),
    cookieAgain: fc.constantFrom(undefined, undefined, undefined, 'more=1'),
    authority: fc.constantFrom<(string | undefined)[]>(...AUTHORITIES),
    length: fc.constantFrom(undefined, undefined, 0, 3),
    from: fc.constantFrom('127.0.0.1', '127.0.0.2', '127.10.0.3'),
    spelling: fc.constantFrom('X-Api-Key', 'x-api-key', 'X-API-KEY'),
    order: fc.boolean(),
  })
  .map(({ target, query, version, host, agent, key, referer, cookie, length, spelling, order, ...others }) => {
    const { method, from, repeated, cookieAgain, authority } = others;
    const field = (name: string, value: string | undefined) => (value === undefined ? [] : [{ name, value }]);
    const fields = [
      ...field('User-Agent', agent),
      ...field(spelling, key),
      ...repeated.flatMap(value => field('X-Api-Key', value)),
      ...field('Referer', referer),
      ...field('Cookie', cookie),
      ...field('Cookie', cookieAgain),
      ...field('Content-Length', length === undefined ? undefined : String(length)),
    ];
    // Servers refuse the lack of a host in version 1.1.
    const sent = version === '1.1' && host === undefined ? 'a.example' : host;
    return {
      ...{ method, version, from },
      target: `${authority && sent ? `http://${authority === SAME ? sent : authority}` : ''}${target}?${query}`,
      headers: [...field('Host', sent), { name: 'Connection', value: 'close' }, ...(order ? fields : fields.reverse())],
    };
  });

/** Lines at which servers stop to read a request, or which they leave out. Of one that is too long, a few kilobytes are too many for all servers. */
const BROKEN: readonly string[] = [
  'no colon',
  'two words: 1',
  ': no name',
  'X-Null: a\0b',
  `X-Long: ${'x'.repeat(80_000)}`,
];
/** Hosts that servers refuse. */
const REFUSED_HOSTS: readonly string[] = ['', 'a b', 'a.example/x', 'a.example/?', 'a..example', '[::1', 'ü.example'];

/** Requests that servers refuse, some of them before they have read all headers. */
export const REFUSED: fc.Arbitrary<SentRequest> = fc
  .tuple(
    REQUESTS.filter(({ target }) => target.startsWith('/')),
    fc.nat(6),
    fc.option(fc.constantFrom(...BROKEN)),
    fc.constantFrom(...REFUSED_HOSTS),
  )
  .map(([request, before, line, host]) => {
    if (line !== null) return { ...request, broken: { line, before } };
    const others = request.headers.filter(({ name }) => name !== 'Host');
    return { ...request, headers: others.toSpliced(before, 0, { name: 'Host', value: host }) };
  });

/** The name of the query parameter with the number of a request. */
const NUMBER = 'number';

/** Returns the request with a number by which it is found in logs. */
export function numbered(request: SentRequest, number: number): SentRequest {
  const { target } = request;
  return { ...request, target: `${target}${target.endsWith('?') ? '' : '&'}${NUMBER}=${number}` };
}

/** Returns the number of the request in a recorded target. */
export function numberIn(target: string | undefined): number | undefined {
  const digits = new RegExp(`[?&]${NUMBER}=(\\d+)$`).exec(target ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Sends a request over a connection of its own. Returns all there is to know about the exchange; undefined if nothing is answered. */
export async function send(request: SentRequest, port: number): Promise<Exchange | undefined> {
  const { exchange } = await sendWhole(request, port);
  return exchange.response && exchange;
}

/** Like {@link send}, with the body of the response as it was transferred. If nothing is answered, the exchange has no response. */
export async function sendWhole(
  request: SentRequest,
  port: number,
): Promise<{ readonly exchange: Exchange; readonly body: Buffer }> {
  const { bytes, clientPort } = await answerTo(request, port);
  const end = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, Math.max(end, 0)).split('\r\n');
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1];
  const fields = lines.map(line => {
    const colon = line.indexOf(':');
    return { name: line.slice(0, colon), value: line.slice(colon + 1).trim() };
  });
  const response = status === undefined ? undefined : { status: Number(status), fields };
  const exchange = sentExchange(request, { port, clientPort }, response);
  return { exchange, body: bytes.subarray(end + 4) };
}

const VALID_HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;

function sentExchange(
  { method, target, version, headers, from }: SentRequest,
  { port, clientPort }: { readonly port: number; readonly clientPort: number },
  response: { readonly status: number; readonly fields: readonly HeaderField[] } | undefined,
): Exchange {
  const host = headers.find(({ name }) => name === 'Host')?.value;
  const whole = { absent: [], complete: true, withheld: [] } as const;
  return {
    place: { file: 'sent', number: 1, unit: 'entry' },
    time: undefined,
    clientIp: from,
    connection: { clientPort, serverIp: '127.0.0.1', serverPort: port },
    tls: { version: '', cipherSuite: '', serverName: '', alpn: '', ja4: '', clientName: '' },
    method,
    target,
    // Without a valid host there is no URL (RFC 9110, section 7.1).
    url: host && VALID_HOST.test(host) ? (target.startsWith('/') ? `http://${host}${target}` : target) : undefined,
    scheme: 'http',
    protocol: `HTTP/${version}`,
    // Blanks around a value are not part of it (RFC 9110, section 5.5).
    requestHeaders: {
      fields: headers.map(({ name, value }) => ({ name, value: value.replace(/^[ \t]+|[ \t]+$/g, '') })),
      ...whole,
    },
    response: response && {
      status: response.status,
      headers: { fields: response.fields, ...whole },
      bodySize: undefined,
    },
  };
}

interface Answer {
  readonly bytes: Buffer;
  readonly clientPort: number;
}

function answerTo({ method, target, version, headers, from, broken }: SentRequest, port: number): Promise<Answer> {
  const length = Number(headers.find(({ name }) => name === 'Content-Length')?.value ?? 0);
  const fields = headers.map(({ name, value }) => `${name}: ${value}`);
  const lines = [`${method} ${target} HTTP/${version}`, ...fields];
  if (broken) lines.splice(1 + broken.before, 0, broken.line);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', localAddress: from }, () => {
      const { localPort: clientPort = 0 } = socket;
      // A server may close the connection of a request that it refuses before it has read all of it.
      const finish = () => resolve({ bytes: Buffer.concat(chunks), clientPort });
      socket
        .on('data', chunk => chunks.push(chunk))
        .on('error', finish)
        .on('close', finish);
      socket.write(`${lines.join('\r\n')}\r\n\r\n${'x'.repeat(length)}`);
    }).once('error', reject);
  });
}
