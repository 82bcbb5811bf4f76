import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROFILES } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import { replayOnDuckdb } from '@tollgate/query';
import { type ReplaySummary, replay } from '@tollgate/simulator';
import { FILE_READER } from '@tollgate/traffic-node';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { runs, seed } from '../support/runs.ts';

// Recordings with what loggers, proxies and full disks leave in them. A replay on DuckDB has the figures of one in process, and hardly ever leaves
// the recording to it.

const folder = mkdtempSync(join(tmpdir(), 'tollgate-odd-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PROFILE = PROFILES[0]!;
const ENDPOINT = PROFILE.endpoints[0]!;
const ENVIRONMENTS = createPhaseEnvironments(PROFILE, ENDPOINT);

const CONDITIONS = [
  "req.Path.startsWith('/a')",
  "req.URL.contains('q=1')",
  "inCidrRange(conn.ClientIP, '10.0.0.0/8')",
  "req.Headers['X-A'][0] == '1'",
  "'X-A' in req.Headers",
  "!('X-A' in req.Headers)",
  "req.Headers['X-A'][0].startsWith('1')",
  "'X-A' in req.Headers && !req.Headers['X-A'][0].startsWith('1')",
  "'X-A' in req.Headers && req.Headers['X-A'][0] == '1'",
  "'X-C' in req.Headers && req.Headers['X-C'][0] == '1'",
  "'User-Agent' in req.Headers && req.Headers['User-Agent'][0] == 'curl/8'",
  "req.Headers['X-A'].exists(v, v.startsWith('1'))",
  "'Referer' in req.Headers",
  "req.Headers['User-Agent'][0].contains('curl')",
  "req.Headers['Referer'][0].contains('e.co')",
  "req.Method == 'GET' && req.Headers['X-B'][0] == '2'",
  "req.Headers['Host'][0] == 'e.co'",
  "req.Host == 'e.co'",
  "req.Headers['X-C'][0] == '1'",
  "conn.Geo.CountryCode == 'DE'",
  "req.ClientTLS.Version.contains('1.3')",
  "req.URL.startsWith('https:')",
  "'X-B' in req.Headers",
  "'X-D' in req.Headers && req.Headers['X-D'][0] == '1'",
];
const LOG = { type: 'log', config: { metadata: { a: '1' } } };
const POLICIES = fc.uniqueArray(fc.constantFrom(...CONDITIONS), { minLength: 2, maxLength: 6 }).map(conditions => ({
  inbound: conditions.map((condition, at) => ({
    expressions: [condition],
    actions: [at % 3 === 2 ? { type: 'deny', config: { status_code: 403 } } : LOG],
  })),
  outbound: [{ expressions: ["res.StatusCode >= '500'"], actions: [LOG] }],
}));

const RECORD = fc.record(
  {
    time: fc.nat(99_999_999).map(ms => new Date(1.77e12 + ms).toISOString()),
    client_ip: fc.constantFrom('10.1.2.3', '192.0.2.1', '::1', '2001:db8::7'),
    method: fc.constantFrom('GET', 'POST'),
    url: fc.nat(20).map(number => `https://e.co/${number % 2 ? 'a' : 'b'}/${number}${number % 5 ? '' : '?q=1'}`),
    // Of a request that ends in 400 or 499, a server may have read the first headers only.
    status: fc.constantFrom(200, 200, 404, 503, 400, 499),
    country: fc.constantFrom('DE', 'FR'),
    user_agent: fc.constantFrom('curl/8', 'Mozilla', '-', ''),
    referer: fc.constantFrom('https://e.co/', 'https://f.co/', '-'),
    host: fc.constantFrom('e.co', 'f.co'),
    target: fc.nat(20).map(number => `/${number % 2 ? 'a' : 'b'}/${number}`),
    x_c: fc.constantFrom('1', '', null, '1, 2'),
    request_headers: fc.dictionary(
      fc.constantFrom('X-A', 'X-B', 'Host'),
      fc.constantFrom('1', '2', '3', '4', '5', ' 1', '-', '', 'é', '1, 2', '1,1'),
    ),
  },
  { requiredKeys: ['client_ip', 'method'] },
);
type OddRecord = Readonly<Record<string, unknown>>;

/** Changes a record, or the line that contains it. */
type Oddity = readonly [name: string, change: (record: OddRecord, line: string) => string];

const json = JSON.stringify;
const headersOf = ({ request_headers }: OddRecord) => (request_headers ?? {}) as Readonly<Record<string, unknown>>;
const withHeaders = (record: OddRecord, headers: object) =>
  json({ ...record, request_headers: { ...headersOf(record), ...headers } });
const lowered = (headers: object) =>
  Object.fromEntries(Object.entries(headers).map(([key, v]) => [key.toLowerCase(), v]));

const OFTEN: readonly Oddity[] = [
  ['headers in lower case', record => json({ ...record, request_headers: lowered(headersOf(record)) })],
  ['a referer that is null', record => json({ ...record, referer: null })],
  ['headers that are null', record => withHeaders(record, { 'X-A': null })],
  ['a null in a lower-case header', record => withHeaders(record, { 'x-a': null })],
  ['no headers', record => json({ ...record, request_headers: {} })],
  ['null instead of headers', record => json({ ...record, request_headers: null })],
  [
    'null instead of everything',
    record => json({ ...record, status: null, country: null, user_agent: null, url: null }),
  ],
  ['a time before 1970', record => json({ ...record, time: '1969-12-31T23:59:59.500Z' })],
  ['a number before 1970', record => json({ ...record, time: -1_500 })],
  ['a word as the time', record => json({ ...record, time: 'yesterday' })],
  ['a time that no calendar has', record => json({ ...record, time: '2026-02-30T10:00:00Z' })],
  ['a time in seconds', record => json({ ...record, time: 1_772_446_530.25 })],
  ['a time of another zone', record => json({ ...record, time: '2026-03-02T10:15:30+02:00' })],
  ['an empty time', record => json({ ...record, time: '' })],
  ['a time without a zone', record => json({ ...record, time: '2026-03-02 10:15:30' })],
  ['a refusal in a string', record => json({ ...record, status: '400' })],
  ['a usual status in a string', record => json({ ...record, status: '200' })],
  ['a status of a request that was not answered', record => json({ ...record, status: '000' })],
  ['a status with a fraction', record => json({ ...record, status: 1 }).replace('"status":1', '"status":200.0')],
  ['no status', record => json({ ...record, status: null })],
  ['a dash as the status', record => json({ ...record, status: '-' })],
  ['a null of a request that was not read', record => json({ ...record, status: 400, method: null, x_c: null })],
  ['a host by the configuration', record => json({ ...record, host: '', host_name: 'e.co', protocol: 'HTTP/1.1' })],
  ['a header as a list', record => withHeaders(record, { 'X-A': ['0', '1'] })],
  ['a whole URL as the target', record => json({ ...record, target: `http://${record.host}/a` })],
  ['a whole URL as the target in capitals', record => json({ ...record, target: 'HTTP://E.CO:80/a' })],
  ['a request line with a whole URL', record => json({ ...record, request_line: 'GET https://e.co/a HTTP/1.0' })],
  ['a request line', record => json({ ...record, request_line: 'GET /a?u=https://e.co/ HTTP/1.1' })],
  ['blanks between tokens', (_, line) => line.replaceAll('":', '" : ')],
  ['CRLF', (_, line) => `${line}\r`],
  ['an empty line', (_, line) => `${line}\n`],
];

const SELDOM: readonly Oddity[] = [
  ['both spellings of a header', record => withHeaders(record, { 'X-A': '1', 'x-a': '2' })],
  ['a third spelling', record => withHeaders(record, { 'X-a': '1' })],
  ['a number as a header', record => withHeaders(record, { 'X-A': 1 })],
  ['an object as a header', record => withHeaders(record, { 'X-A': { b: 1 } })],
  ['a huge time', record => json({ ...record, time: 1e300 })],
  ['a line that was cut', (_, line) => line.slice(0, line.length / 2)],
  ['the start of a line that was cut', (_, line) => line.slice(line.length / 2)],
  ['a message of another program', () => 'worker exited on signal 9'],
  ['blanks', () => '   '],
  ['two records in a line', (_, line) => line + line],
  ['a comma at the end', (_, line) => line.replace(/\}$/, ',}')],
  ['NaN', (_, line) => line.replace(/\}$/, ',"x":NaN}')],
  ['no field', () => '{"level":"info","msg":"started"}'],
  ['only a time', () => '{"time":"2026-03-02T10:15:30Z"}'],
  ['a list', (_, line) => `[${line}]`],
  ['null', () => 'null'],
  ['a byte order mark', (_, line) => `\ufeff${line}`],
  ['half of a surrogate pair', (_, line) => line.replace(/\}$/, ',"x":"\\ud800"}')],
  ['a NUL', (_, line) => line.replace(/\}$/, ',"x":"\0"}')],
  ['invalid UTF-8', (_, line) => line.replace(/\}$/, ',"x":"\xff"}')],
  ['a long line', (_, line) => line.replace(/\}$/, `,"x":"${'x'.repeat(300_000)}"}`)],
  ['headers in a list', record => json({ ...record, request_headers: [{ name: 'X-A', value: '1' }] })],
  ['headers in a string', record => json({ ...record, request_headers: 'X-A: 1' })],
  ['an escaped whole URL', record => json({ ...record, target: '\t' }).replace('\\t', '\\u0068ttp:\\/\\/e.co\\/a')],
  ['no target', record => json({ ...record, target: '-', request_line: '' })],
  ['an escaped name', record => withHeaders(record, { 'X-A': '1' }).replace('X-A', '\\u0058-A')],
  ['two times', (_, line) => line.replace(/\}$/, ',"time":"2026-03-02T10:15:30.250Z"}')],
  ['a member twice', (_, line) => line.replace(/\}$/, ',"client_ip":"192.0.2.77"}')],
];

/** How servers write a record. */
interface Server {
  readonly format: 'json-lines' | 'nginx' | 'envoy' | 'cloudflare' | 'traefik';
  readonly write: (record: OddRecord) => OddRecord;
  readonly often: readonly Oddity[];
  readonly seldom: readonly Oddity[];
}

const withMember = (value: unknown, at: number) => (record: OddRecord) => {
  const names = Object.keys(record);
  return json({ ...record, [names[at % names.length]!]: value });
};

const SERVER_OFTEN: readonly Oddity[] = [
  ...[1, 3, 5, 6].map((at): Oddity => [`a null in member ${at}`, withMember(null, at)]),
  ...[2, 4, 7, 8].map((at): Oddity => [`a dash in member ${at}`, withMember('-', at)]),
  ...[1, 5, 9].map((at): Oddity => [`nothing in member ${at}`, withMember('', at)]),
  ['every member a dash', record => json(Object.fromEntries(Object.keys(record).map(name => [name, '-'])))],
  ['a few members', record => json(Object.fromEntries(Object.entries(record).slice(0, 3)))],
  ...OFTEN.filter(([name]) => /time|blanks|CRLF|empty line|headers/.test(name)),
];
const SERVER_SELDOM: readonly Oddity[] = [
  ['another header', record => json({ ...record, http_x_b: '2', 'x-request-id': '1' })],
  ['an escaped dash', record => json({ ...record, request_method: '?' }).replace('"?"', '"\\u002d"')],
  ['another time', record => json({ ...record, msec: '1772446530.250', '@timestamp': '2026-03-02T10:15:30Z' })],
  ...SELDOM,
];

/** Traefik's line of a record. A proxy is in front of every third client. */
function traefikRecord(record: OddRecord): OddRecord {
  const { client_ip: client, status = 200, target = '/a/1?q=1', host = 'e.co' } = record;
  const isProxied = String(client).length % 3 === 0;
  const isSecured = record.method === 'GET';
  const address = String(client).includes(':') ? `[${client}]` : client;
  const headers = Object.entries(headersOf(record)).map(([name, value]) => [`request_${name}`, value]);
  return {
    ...{
      StartUTC: record.time ?? '2026-03-02T10:15:30.25Z',
      ClientAddr: isProxied ? '10.0.0.9:4711' : `${address}:${String(target).length}000`,
    },
    ...{ ClientHost: client, ClientPort: isProxied ? '4711' : `${String(target).length}000` },
    ...{ RequestMethod: record.method, RequestPath: target, RequestAddr: host, RequestHost: host },
    ...{ RequestProtocol: 'HTTP/1.1', RequestScheme: isSecured ? 'https' : 'http', DownstreamStatus: status },
    ...{ 'request_User-Agent': record.user_agent, request_Referer: record.referer, x_c: record.x_c },
    ...(isSecured && { TLSVersion: '1.3', TLSCipher: 'TLS_AES_128_GCM_SHA256' }),
    ...{ 'request_X-B': 'REDACTED', time: '2026-03-02T10:15:30Z', msg: '', 'request_X-A': '1' },
    ...Object.fromEntries(headers),
  };
}

const TRAEFIK_OFTEN: readonly Oddity[] = [
  ...SERVER_OFTEN,
  ['a redacted header', record => json({ ...record, 'request_X-A': 'REDACTED' })],
  ['a header that the first record lacks', record => json({ ...record, 'request_X-D': '1' })],
  ['null as a header that the first record lacks', record => json({ ...record, 'request_X-D': null })],
  ['no start', record => json({ ...record, StartUTC: undefined })],
  ['null as the start', record => json({ ...record, StartUTC: null })],
  ['nothing but a redacted header', ({ StartUTC }) => json({ StartUTC, 'request_X-A': 'REDACTED' })],
  ['nothing but a port', ({ StartUTC }) => json({ StartUTC, ClientPort: '4711' })],
  ['nothing but the address of a proxy', ({ StartUTC, ClientAddr }) => json({ StartUTC, ClientAddr })],
  ['several forwarded addresses', record => json({ ...record, ClientHost: '192.0.2.1, 10.9.9.9' })],
  ['no host of the client', record => json({ ...record, ClientHost: undefined })],
  ['null as the address of the connection', record => json({ ...record, ClientAddr: null })],
  ['null as every address', record => json({ ...record, ClientAddr: null, ClientHost: null, ClientPort: null })],
  ['no TLS', record => json({ ...record, TLSVersion: undefined, TLSCipher: undefined })],
  ['an empty version of TLS', record => json({ ...record, TLSVersion: '' })],
  ['null as the version of TLS', record => json({ ...record, TLSVersion: null })],
  [
    'the other scheme',
    record => json({ ...record, RequestScheme: record.RequestScheme === 'http' ? 'https' : 'http' }),
  ],
  ['no scheme', record => json({ ...record, RequestScheme: undefined })],
  ['a scheme of web sockets', record => json({ ...record, RequestScheme: 'wss' })],
  ['nanoseconds', record => json({ ...record, StartUTC: '2026-03-02T10:15:30.123987654Z' })],
  ['a tenth of a second', record => json({ ...record, StartUTC: '2026-03-02T10:15:30.5Z' })],
  ['hundredths of a second', record => json({ ...record, StartUTC: '2026-03-02T10:15:30.05+00:00' })],
  ['a port of the host', record => json({ ...record, RequestAddr: 'e.co:8080' })],
];
const TRAEFIK_SELDOM: readonly Oddity[] = [
  ...SELDOM,
  ['another spelling of a header that is not read', record => json({ ...record, 'request_x-z': '2' })],
  ['another header', record => json({ ...record, 'request_X-Z': '2' })],
  ['another spelling', record => json({ ...record, 'request_x-a': '2' })],
  [
    'common log format',
    () => '192.0.2.1 - - [02/Mar/2026:10:15:30 +0000] "GET /a HTTP/1.1" 200 5 "-" "-" 1 "r" "-" 2ms',
  ],
];

const SERVERS: readonly Server[] = [
  { format: 'json-lines', write: record => record, often: OFTEN, seldom: SELDOM },
  {
    format: 'nginx',
    write: record => ({
      ...{ time_iso8601: String(record.time ?? '').replace(/[.].*/, '+00:00'), remote_addr: record.client_ip },
      ...{ request_method: record.method, request_uri: record.target ?? '/a/1?q=1', server_protocol: 'HTTP/1.1' },
      ...{ host: record.host ?? 'e.co', http_host: record.host ?? '', status: String(record.status ?? 200) },
      ...{ http_user_agent: record.user_agent ?? '-', http_referer: record.referer ?? '' },
      ...{ http_x_a: headersOf(record)['X-A'] ?? '', sent_http_x_d: '1', ssl_protocol: 'TLSv1.3' },
    }),
    often: SERVER_OFTEN,
    seldom: SERVER_SELDOM,
  },
  {
    format: 'envoy',
    write: record => ({
      ...{ start_time: record.time, downstream_remote_address: `${record.client_ip}:4711`, method: record.method },
      ...{ authority: record.host ?? 'e.co', path: record.target ?? '/a/1?q=1', protocol: 'HTTP/2' },
      ...{ response_code: record.status ?? 0, user_agent: record.user_agent, response_flags: '-' },
      ...{ request_headers: record.request_headers ?? {}, 'x-forwarded-for': record.client_ip },
    }),
    often: SERVER_OFTEN,
    seldom: SERVER_SELDOM,
  },
  {
    format: 'cloudflare',
    write: record => ({
      ...{ EdgeStartTimestamp: record.time, ClientIP: record.client_ip, ClientRequestMethod: record.method },
      ...{ ClientRequestHost: record.host ?? 'e.co', ClientRequestURI: record.target ?? '/b/2' },
      ...{ EdgeResponseStatus: record.status ?? 0, ClientRequestUserAgent: record.user_agent ?? '' },
      ...{ ClientCountry: record.country, RequestHeaders: record.request_headers ?? {} },
    }),
    often: SERVER_OFTEN,
    seldom: SERVER_SELDOM,
  },
  { format: 'traefik', write: traefikRecord, often: TRAEFIK_OFTEN, seldom: TRAEFIK_SELDOM },
];

/** What some recordings have as a whole. */
const FILES: readonly (readonly [name: string, change: (lines: readonly string[]) => string])[] = [
  ['a last line that was cut', lines => lines.join('\n').slice(0, -7)],
  ['no last line end', lines => lines.join('\n')],
  [
    'a long first line',
    ([first = '', ...lines]) => [first.replace(/\}$/, `,"x":"${'x'.repeat(70_000)}"}`), ...lines].join('\n'),
  ],
  // What is read is found out from the first 64 kB.
  [
    'a long beginning of usual records',
    ([first = '', ...lines]) => [...Array(Math.ceil(70_000 / first.length)).fill(first), ...lines].join('\n'),
  ],
  ['nothing odd', lines => `${lines.join('\n')}\n`],
];

const recordingOf = ({ write, often: usual, seldom: rare }: Server) =>
  fc
    .record({
      records: fc.array(RECORD.map(write), { minLength: 1, maxLength: 30 }),
      often: fc.subarray([...usual], { maxLength: 3 }),
      seldom: fc.subarray([...rare], { maxLength: 2 }),
      at: fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
      file: fc.constantFrom(...FILES),
    })
    .map(({ records, often, seldom, at, file: [fileName, writeFile] }) => {
      // The first line tells what the file is.
      const lines: string[] = records.map((record, index) => {
        const change = often[at[index % at.length]! % 3];
        return index === 0 || change === undefined ? json(record) : change[1](record, json(record));
      });
      for (const [index, [, change]] of seldom.entries()) {
        const line = 1 + (at[index]! % (records.length - 1));
        if (records.length > 1) lines[line] = change(records[line]!, json(records[line]));
      }
      return { text: writeFile(lines), names: [...often, ...seldom].map(([name]) => name).concat(fileName) };
    });

/** None in most cases. Limits are within the times of the records, in which some odd times are too. */
const TIME_LIMIT = fc.oneof(
  fc.nat(99_999_999).map(ms => 1.77e12 + ms),
  fc.constantFrom(-1000, 0, 1_772_446_530_250),
);
const SELECTIONS = fc.option(
  fc.oneof(fc.record({ since: TIME_LIMIT }), fc.record({ since: TIME_LIMIT, until: TIME_LIMIT })),
  { nil: undefined, freq: 1 },
);

/** Half of them are JSON lines of no server, unless only one is asked for. */
const ONLY = process.env.ODD_SERVER;
const RECORDINGS = fc
  .constantFrom(...(ONLY ? SERVERS.filter(({ format }) => format === ONLY) : [SERVERS[0]!, SERVERS[0]!, ...SERVERS]))
  .chain(server =>
    fc
      .array(recordingOf(server), { minLength: 1, maxLength: 2 })
      .map(recordings => ({ recordings, format: server.format })),
  );

/** Invalid UTF-8 is written as the byte that `\xff` stands for. */
function bytesOf(text: string): Buffer {
  return Buffer.concat(
    text
      .split('\xff')
      .flatMap((part, at) => (at === 0 ? [Buffer.from(part)] : [Buffer.from([0xff]), Buffer.from(part)])),
  );
}

/** Conditions that `count-records.py` counts too. They are the first rules, so that no other ends an exchange before. */
const COUNTED = ["req.Method == 'GET'", "inCidrRange(conn.ClientIP, '10.0.0.0/8')", "conn.Geo.CountryCode == 'DE'"];
const COUNTED_RULES = COUNTED.map(condition => ({ expressions: [condition], actions: [LOG] }));

/** Figures of a replay, and of a program that shares no code with it. */
interface Counted {
  readonly files: readonly string[];
  readonly found: { readonly exchanges: number; readonly skipped: number; readonly matched: readonly number[] };
}

function countedBy({ exchanges, skipped, rules }: ReplaySummary): Counted['found'] {
  return {
    exchanges,
    skipped: skipped.reduce((sum, { count }) => sum + count, 0),
    matched: rules.slice(0, COUNTED.length).map(rule => rule.matched),
  };
}

function expectPythonAgrees(counted: readonly Counted[]): void {
  if (spawnSync('python3', ['--version']).status !== 0) {
    console.log('python3 is not installed: nothing counts again');
    return;
  }
  const script = join(import.meta.dirname, '../support/count-records.py');
  const output = execFileSync('python3', [script], {
    input: json(counted.map(({ files }) => files)),
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  expect(counted.map(({ found }) => found)).toEqual(JSON.parse(output));
}

it('replays odd recordings on DuckDB as in process, and hardly ever leaves them to it', {
  timeout: 600_000,
}, async () => {
  const reasons = new Map<string, number>();
  const numRuns = runs(30, 1000, 'ODD_RECORDINGS');
  const counted: Counted[] = [];
  let unsuited = 0;
  await fc.assert(
    fc.asyncProperty(
      POLICIES,
      RECORDINGS,
      fc.boolean(),
      SELECTIONS,
      // Of few, columns with many values seem to have few.
      fc.constantFrom(undefined, 0, 1, 6),
      async (document, { recordings, format }, hasEmpty, select, firstRows) => {
        const contents = [...recordings.map(({ text }) => bytesOf(text)), ...(hasEmpty ? [Buffer.alloc(0)] : [])];
        const files = contents.map((content, at) => {
          const file = join(folder, `${format === 'json-lines' ? counted.length : ''}-${at}.jsonl`);
          writeFileSync(file, content);
          return file;
        });
        const source = new SourceText(
          'policy.json',
          json({ ...document, inbound: [...COUNTED_RULES, ...document.inbound] }),
        );
        const policy = analyzePolicy(source, { profile: PROFILE, endpoint: ENDPOINT, environments: ENVIRONMENTS })
          .policy!;
        const options = {
          ...{ profile: PROFILE, environments: ENVIRONMENTS, files, reader: FILE_READER },
          ...{
            traffic: { format, mapping: { fields: { 'request_headers.X-C': 'x_c' } } },
            breakdown: { top: 3 },
          },
          ...(select && { select }),
        };
        const found = await replayOnDuckdb(policy, options, { threads: 2, firstRows });
        if (found.kind === 'replayed') {
          expect(found.summary).toEqual(await replay(policy, options));
          if (format === 'json-lines' && select === undefined) counted.push({ files, found: countedBy(found.summary) });
        } else {
          const reason =
            found.kind === 'unsuited'
              ? found.reason.replace(/`[^`]*jsonl`/, 'FILE').replace(/line \d+/, 'line N')
              : found.kind;
          reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
          unsuited++;
        }
      },
    ),
    { numRuns, seed: seed(17, 'ODD_SEED') },
  );
  for (const [reason, count] of [...reasons].sort(([, a], [, b]) => b - a))
    console.log(`${count} of ${numRuns}: ${reason}`);
  expect(unsuited).toBeLessThanOrEqual(numRuns / 10);
  expect([...reasons.keys()]).not.toContain('conditions read too many different fields');
  expect([...reasons.keys()].filter(reason => reason.includes('Error'))).toEqual([]);
  expectPythonAgrees(counted);
});

/** Values that mean something else than what stands there, among many that do not. */
const MANY: readonly string[] = [
  ...Array.from({ length: 60 }, (_, number) => `${number % 2}${number}`),
  ...['-', '', ' 1', '1 ', '\t1', '1,0', '0, 1', 'é', '"1"'],
];
const MANY_CONDITIONS: readonly string[] = [
  "req.Headers['X-A'][0].startsWith('1')",
  "'X-A' in req.Headers",
  "req.Headers['X-A'] == ['11']",
];

it('tests many values of a header in SQL, and one with an unclear meaning by itself', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(...MANY), fc.constantFrom(200, 200, 200, 400)), {
        minLength: 150,
        maxLength: 200,
      }),
      fc.subarray([...MANY_CONDITIONS], { minLength: 1 }),
      fc.boolean(),
      async (values, conditions, hasRefusals) => {
        const records = values.map(([value, status]) =>
          json({
            client_ip: '::1',
            status: hasRefusals ? status : 200,
            request_headers: { 'X-A': value },
          }),
        );
        const file = join(folder, 'many.jsonl');
        writeFileSync(file, records.map(line => `${line}\n`).join(''));
        const inbound = conditions.map(condition => ({ expressions: [condition], actions: [LOG] }));
        const { policy } = analyzePolicy(new SourceText('policy.json', json({ inbound })), {
          ...{ profile: PROFILE, endpoint: ENDPOINT, environments: ENVIRONMENTS },
        });
        const options = { profile: PROFILE, environments: ENVIRONMENTS, files: [file], reader: FILE_READER };
        const found = await replayOnDuckdb(policy!, options, { threads: 2, manyValues: 30 });
        expect(found).toEqual({ kind: 'replayed', summary: await replay(policy!, options) });
      },
    ),
    { numRuns: runs(5, 100), seed: seed(3, 'ODD_SEED') },
  );
});

const HOSTS = [
  'e.co',
  'f.co',
  'api.e.co',
  'E.co',
  'e.co:8443',
  'xn--e1a.co',
  '192.0.2.1',
  '-',
  '',
  'é.co',
  'e.co/x',
  'e_f.co',
  'e.co.',
];
const TARGETS = [
  ...Array.from({ length: 40 }, (_, n) => `/a/${n}?q=${n % 3}`),
  ...[
    '/',
    '/a',
    '/A',
    '//f.co/a',
    '/a#b',
    '/a?',
    '/%61',
    '/a\\b',
    '/é',
    '*',
    'a',
    '-',
    '',
    'http://f.co/a',
    'HTTPS://g.co',
    '/xn--',
  ],
];
const URL_CONDITIONS: readonly string[] = [
  "req.Path.startsWith('/a')",
  "req.Host == 'e.co'",
  "req.URL.contains('co/a')",
  "req.Path == '/a' || req.Path.endsWith('1')",
  "req.URL.endsWith('q=1')",
];

it('tests many hosts and targets in SQL', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.tuple(
          fc.oneof({ weight: 8, arbitrary: fc.constantFrom('e.co', 'f.co') }, fc.constantFrom(...HOSTS)),
          fc.constantFrom(...TARGETS),
          fc.constantFrom(200, 200, 200, 400),
        ),
        { minLength: 150, maxLength: 200 },
      ),
      fc.subarray([...URL_CONDITIONS], { minLength: 1 }),
      fc.record({
        isServer: fc.boolean(),
        scheme: fc.constantFrom('https', 'http', 'HTTPS', 'wss', undefined),
        hasRefusals: fc.boolean(),
      }),
      async (values, conditions, { isServer, scheme, hasRefusals }) => {
        const records = values.map(([host, target, seen]) => {
          const status = hasRefusals ? seen : 200;
          return isServer
            ? json({ remote_addr: '::1', http_host: host, request_uri: target, scheme, status: String(status) })
            : json({ client_ip: '::1', host, target, scheme, status });
        });
        const file = join(folder, 'urls.jsonl');
        writeFileSync(file, records.map(line => `${line}\n`).join(''));
        const inbound = conditions.map(condition => ({ expressions: [condition], actions: [LOG] }));
        const { policy } = analyzePolicy(new SourceText('policy.json', json({ inbound })), {
          ...{ profile: PROFILE, endpoint: ENDPOINT, environments: ENVIRONMENTS },
        });
        const options = { profile: PROFILE, environments: ENVIRONMENTS, files: [file], reader: FILE_READER };
        const traffic = { format: isServer ? 'nginx' : 'json-lines' } as const;
        const given = { ...options, traffic, breakdown: { top: 3 } };
        const found = await replayOnDuckdb(policy!, given, { threads: 2, manyValues: 30 });
        const expected = { kind: 'replayed', summary: await replay(policy!, given) };
        expect(found).toEqual(
          found.kind === 'unsuited' ? { ...found, reason: 'most values occur only once' } : expected,
        );
      },
    ),
    { numRuns: runs(5, 100), seed: seed(7, 'ODD_SEED') },
  );
});

const PORTS = PROFILES.find(({ name }) => name === 'edge-v2-snake')!;
const PORT_CONDITIONS = ['conn.client_port == 5000', 'conn.client_port < 4800', "conn.tls.version.contains('1.3')"];

it('takes the port of a client from the members that a log has of two addresses', { timeout: 600_000 }, async () => {
  const environments = createPhaseEnvironments(PORTS, PORTS.endpoints[0]!);
  const inbound = PORT_CONDITIONS.map(condition => ({ expressions: [condition], actions: [{ type: 'deny' }] }));
  const { policy } = analyzePolicy(new SourceText('policy.json', json({ inbound })), {
    ...{ profile: PORTS, endpoint: PORTS.endpoints[0]!, environments },
  });
  const matched = new Set<number>();
  const numRuns = runs(10, 60);
  let replayed = 0;
  await fc.assert(
    fc.asyncProperty(recordingOf(SERVERS.at(-1)!), async ({ text }) => {
      const file = join(folder, 'ports.jsonl');
      writeFileSync(file, bytesOf(text));
      const options = { profile: PORTS, environments, files: [file], reader: FILE_READER };
      const traffic = { format: 'traefik', mapping: {} } as const;
      const found = await replayOnDuckdb(policy!, { ...options, traffic }, { threads: 2 });
      if (found.kind !== 'replayed') return;
      replayed++;
      expect(found.summary).toEqual(await replay(policy!, { ...options, traffic }));
      for (const [rule, { matched: count }] of found.summary.rules.entries()) if (count > 0) matched.add(rule);
    }),
    { numRuns, seed: seed(5, 'ODD_SEED') },
  );
  expect([...matched].sort()).toEqual([0, 1, 2]);
  expect(replayed).toBeGreaterThan(numRuns / 2);
});
