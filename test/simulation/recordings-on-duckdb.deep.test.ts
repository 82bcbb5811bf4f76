import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { PROFILES } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import { replayOnDuckdb } from '@tollgate/query';
import {
  type ReplayOptions,
  type ReplaySummary,
  replay,
  type TrafficSelection,
  tokenCheckOf,
} from '@tollgate/simulator';
import { verdictKey } from '@tollgate/simulator/compiled';
import { FILE_READER } from '@tollgate/traffic-node';
import fc from 'fast-check';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { runs } from '../support/runs.ts';
import { PLAIN_LINES, SELECTIONS, VARIED_LINES } from './generated-lines.ts';
import { meaningfulPolicies } from './generated-rules.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-duckdb-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PROFILE = PROFILES[0]!;
const ENDPOINT = PROFILE.endpoints[0]!;
const ENVIRONMENTS = createPhaseEnvironments(PROFILE, ENDPOINT);

function policyOf(...rules: readonly (readonly [condition: string, action: object])[]) {
  const inbound = rules.map(([condition, action]) => ({ expressions: [condition], actions: [action] }));
  const source = new SourceText('policy.json', JSON.stringify({ inbound }));
  return analyzePolicy(source, { profile: PROFILE, endpoint: ENDPOINT, environments: ENVIRONMENTS }).policy!;
}

const POLICY = policyOf(
  ["req.Path.startsWith('/a')", { type: 'log', config: { metadata: { a: '1' } } }],
  ["req.Headers['X-A'][0] == '1'", { type: 'deny', config: { status_code: 403 } }],
  ["inCidrRange(conn.ClientIP, '10.0.0.0/8')", { type: 'deny', config: { status_code: 404 } }],
);

const RECORDS = [
  { time: '2026-03-02T10:15:30Z', client_ip: '10.1.2.3', url: 'https://e.co/a?q', request_headers: { 'X-A': '2' } },
  { time: 1_772_446_530_500, client_ip: '::1', url: 'https://e.co/b', status: 200, request_headers: { 'X-A': '1' } },
  { client_ip: '192.0.2.1', method: 'GET', url: 'https://e.co/é', response_headers: { 'X-B': '1' } },
];
/** Of two of the records, half a second apart. */
const TIME = Date.parse('2026-03-02T10:15:30Z');

const LOG = { type: 'log', config: { metadata: { a: '1' } } };

const PLAIN = RECORDS.map(record => JSON.stringify(record)).join('\n');

async function replayed(
  content: string | Buffer,
  policy = POLICY,
  name = 'traffic.jsonl',
  others: Partial<ReplayOptions> = {},
) {
  const file = join(folder, name);
  writeFileSync(file, content);
  const options = {
    profile: PROFILE,
    environments: ENVIRONMENTS,
    files: [file],
    reader: FILE_READER,
    breakdown: { top: 3 },
    ...others,
  };
  // A few lines are one piece of work, which several threads would do at half as much cost again.
  const threads = content.length < 10_000 ? 1 : undefined;
  return { found: await replayOnDuckdb(policy, options, { threads }), expected: () => replay(policy, options), file };
}

/** In process, the counts of so many keys are bounds. */
function withoutKeys(summary: ReplaySummary): unknown {
  return JSON.parse(JSON.stringify(summary, (name, value) => (KEYS.has(name) ? undefined : value)));
}

const KEYS = new Set(['clients', 'paths', 'countries']);

describe('a replay on DuckDB', () => {
  it.each<[string, string | Buffer]>([
    ['plain lines', PLAIN],
    ['a last line with its end', `${PLAIN}\n`],
    ['CRLF and empty lines', `\n${PLAIN.replaceAll('\n', '\r\n\r\n\n')}\n\n`],
    ['gzip', gzipSync(PLAIN)],
    ['zstd', zstdCompressSync(PLAIN)],
    ['space between tokens', PLAIN.replaceAll('":', '" : ').replaceAll(',"', ' , "')],
    ['escapes', PLAIN.replaceAll('/', '\\/').replaceAll('é', '\\u00e9')],
    ['a string that looks like what DuckDB reads otherwise', `${PLAIN}\n{"client_ip":"::1","x":"{}, ] :NaN,}"}`],
    ['a header as a list', `${PLAIN}\n{"client_ip":"::1","request_headers":{"X-A":["0","1"]}}`],
    ['a number as a header', `${PLAIN}\n{"client_ip":"::1","request_headers":{"X-A":1}}`],
    ['another spelling', `${PLAIN}\n{"request_headers":{"x-a":"1"}}`],
    ['an escaped spelling', `${PLAIN}\n{"request_headers":{"\\u0078-a":"1"}}`],
    ['a header that is null', `${PLAIN}\n{"request_headers":{"X-A":null}}`],
    ['no headers', `${PLAIN}\n{"client_ip":"::1","request_headers":{}}`],
    ['a duplicate member that is not read', `${PLAIN}\n{"client_ip":"::1","x":1,"x":2}`],
  ])('has the figures of one in process: %s', async (_, content) => {
    const { found, expected } = await replayed(content);
    expect(found).toEqual({ kind: 'replayed', summary: await expected() });
  });

  it('knows what a log says of tokens', async () => {
    const config = {
      issuer: { allow_list: [{ value: 'https://id.example/' }] },
      http: { tokens: [{ type: 'jwt', method: 'header', name: 'Authorization', prefix: '' }] },
      jws: { allowed_algorithms: ['RS256'], keys: { sources: { additional_jkus: ['https://id.example/keys'] } } },
    };
    const policy = policyOf(["req.Path != '/b'", { type: 'jwt-validation', config }]);
    const check = tokenCheckOf(policy.rules.inbound[0]!.actions[0]!.config);
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const tokens = ['ann', 'bob', 'cid'].map(
      sub => `${part({ alg: 'RS256' })}.${part({ iss: 'https://id.example/', sub })}.c2ln`,
    );
    const verdicts = ['valid', 'it has expired', undefined];
    const lines = tokens.flatMap((token, at) =>
      ['/a', '/a', '/b'].map(path =>
        JSON.stringify({
          url: `https://e.co${path}`,
          request_headers: { Authorization: token },
          ...(verdicts[at] !== undefined && { verdicts: `${verdictKey(check.key, token)} ${verdicts[at]}` }),
        }),
      ),
    );
    const { found, expected } = await replayed(lines.join('\n'), policy, 'tokens.jsonl');
    const summary = await expected();
    expect(found).toEqual({ kind: 'replayed', summary });
    expect(summary.outcomes.map(({ outcome, count }) => [outcome.kind, count])).toEqual([
      ['passed', { least: 5, most: 7 }],
      ['refused', { least: 2, most: 4 }],
    ]);
  });

  const READ_HERE: readonly (readonly [string, string | Buffer])[] = [
    ['a trailing comma', '{"client_ip":"::1",}'],
    ['NaN', '{"client_ip":"::1","x":NaN}'],
    ['infinity', '{"client_ip":"::1","x":[-Infinity]}'],
    ['a list', '[{"client_ip":"::1"}]'],
    ['null', 'null'],
    ['a byte order mark', '\ufeff{"client_ip":"::1"}'],
    ['blanks', '   '],
    ['a long line', `{"x":"${'x'.repeat(300_000)}"}`],
    ['an unpaired surrogate', '{"client_ip":"::1","x":"\\ud800"}'],
    ['the other half', '{"client_ip":"::1","x":"\\udfff"}'],
    ['both halves', '{"client_ip":"::1","x":"\\ud83d\\ude00"}'],
    ['a duplicate member', '{"client_ip":"::1","client_ip":"::2"}'],
    ['a duplicate member whose last value decides', '{"client_ip":"::1","client_ip":"10.9.9.9","method":"GET"}'],
    ['a truncated line', '{"client_ip":"::1","x":"'],
    ['two records', '{"client_ip":"::1"}{"client_ip":"::2"}'],
    ['a line in a line', '{"client_ip":"::{"client_ip":"::2"}'],
    ['headers in a list', '{"request_headers":[{"name":"X-A","value":"1"}]}'],
    ['no field', '{"x":1}'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0x78, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
    ['NUL', '{"client_ip":"::1","x":"\0"}'],
  ];
  it.each(READ_HERE)('reads lines here that it would read otherwise: %s', async (_, line) => {
    const { found, expected } = await replayed(Buffer.concat([Buffer.from(`${PLAIN}\n`), Buffer.from(line)]));
    expect(found).toEqual({ kind: 'replayed', summary: await expected() });
  });

  it('reads such lines wherever they are', async () => {
    const lines = READ_HERE.flatMap(([, line]) => [Buffer.from(line), Buffer.from(`\n\n${PLAIN}\n`)]);
    const { found, expected } = await replayed(Buffer.concat(lines));
    expect(found).toEqual({ kind: 'replayed', summary: await expected() });
  });

  it.each([
    ['a member', '"user_agent":null'],
    ['a member with an escaped name', '"\\u0075ser_agent":null'],
    ['a header', '"request_headers":{"User-Agent":null}'],
  ])('reads null in a record that is not in the sample: %s', async (_, member) => {
    const policy = policyOf(["req.Headers['User-Agent'][0] == '1'", LOG]);
    const lines = [
      ...RECORDS.map(record => JSON.stringify({ ...record, request_headers: undefined })),
      `{"method":"GET",${member}}`,
    ];
    const { found, expected } = await replayed(lines.join('\n'), policy);
    expect(found).toEqual({ kind: 'replayed', summary: await expected() });
  });

  it('reads recordings next to an empty one', async () => {
    const empty = join(folder, 'empty.jsonl');
    writeFileSync(empty, '');
    const files = [empty, join(folder, 'traffic.jsonl')];
    const { found, expected } = await replayed(PLAIN, POLICY, 'traffic.jsonl', { files });
    expect(found).toEqual({ kind: 'replayed', summary: await expected() });
  });

  it('leaves logs of Caddy to the reader', async () => {
    const line = JSON.stringify({ ts: 1, request: { remote_ip: '192.0.2.1', method: 'GET', uri: '/' }, status: 200 });
    const { found } = await replayed(line, POLICY, 'caddy.log', { traffic: { format: 'caddy' } });
    expect(found).toEqual({ kind: 'unsuited', reason: 'DuckDB does not read the format `caddy`' });
  });

  it('leaves lines to the reader where most are odd', async () => {
    const { found, file } = await replayed(`${PLAIN}\n${'{"client_ip":"::1",}\n'.repeat(10_001)}`);
    expect(found).toEqual({
      kind: 'unsuited',
      reason: `line 10004 of \`${file}\` is one of more than 10000 odd lines`,
    });
  });

  it.each([
    ['a line', `{"x":"${'a'.repeat(9_000_000)}"}\n`, '', /^line 4 of `.*` is longer than 8388608 bytes$/],
    [
      'a line before one that is cut',
      `{"x":"${'a'.repeat(9_000_000)}"}\n`,
      '{"client_ip":"::',
      /^line 4 of `.*` is longer/,
    ],
    ['a last line that is cut', '', `{"x":"${'a'.repeat(9_000_000)}`, /^line 7 of `.*` is longer than 8388608 bytes$/],
    [
      'odd lines',
      `{"client_ip":"::1","client_ip":"${'a'.repeat(300_000)}"}\n`.repeat(250),
      '',
      /^line \d+ of `.*` is one of the odd lines, which have more than 67108864 bytes$/,
    ],
  ])('leaves to the reader what would be held in memory: %s', async (_, lines, last, reason) => {
    const { found } = await replayed(`${PLAIN}\n${lines}${PLAIN}\n${last}`);
    expect(found).toEqual({ kind: 'unsuited', reason: expect.stringMatching(reason) });
  });

  it.each([
    ['in the first lines', 0, 0],
    ['after them', 1000, 0],
    ['in members that are not read', 0, 3000],
  ])('leaves long values to the reader: %s', async (_, short, unread) => {
    const lines = [...Array.from({ length: short }, () => 8), ...Array.from({ length: 3 * short + 20 }, () => 3000)];
    const content = lines.map((length, n) => {
      const [path, other] = unread > 0 ? [n, 'x'.repeat(unread)] : [`${n}${'x'.repeat(length)}`, ''];
      return JSON.stringify({ client_ip: '::1', url: `https://e.co/${path}`, other });
    });
    const { found, expected } = await replayed(content.join('\n'));
    const reason = 'the values of a record have more than 2048 bytes on average';
    expect(found).toEqual(unread > 0 ? { kind: 'replayed', summary: await expected() } : { kind: 'unsuited', reason });
  });

  it('decides by values where an action depends on them', async () => {
    const policy = policyOf(
      ["req.URL.contains('/')", { type: 'url-rewrite', config: { from: '/a', to: '/b' } }],
      ["req.Path.startsWith('/b')", { type: 'deny', config: { status_code: 403 } }],
    );
    const { found, expected } = await replayed(`${PLAIN}\n${PLAIN}`.replaceAll('request_headers', 'x'), policy);
    expect(found).toEqual({ kind: 'replayed', summary: await expected() });
  });

  it('decides by values where an action depends on what its condition read before', async () => {
    const redirect = { type: 'redirect', config: { from: '(/b).*', to: '$1/c' } };
    const lines = ['a', 'b'].map(path => JSON.stringify({ url: `https://e.co/${path}` })).join('\n');
    const { found, expected } = await replayed(lines, policyOf(["req.URL.contains('e')", redirect]));
    expect(found).toEqual({ kind: 'replayed', summary: await expected() });
  });

  it('decides by all headers where an action depends on them', async () => {
    const policy = policyOf(
      ['true', { type: 'url-rewrite', config: { from: '/a', to: '/b' } }],
      ["req.Path.startsWith('/b') && req.Headers['X-A'][0] == '1'", { type: 'deny', config: { status_code: 403 } }],
    );
    const { found, expected } = await replayed(PLAIN, policy);
    expect(found).toEqual({ kind: 'replayed', summary: await expected() });
  });

  it('reads Parquet files', async () => {
    const file = join(folder, 'traffic.parquet');
    const source = join(folder, 'source.jsonl');
    writeFileSync(source, `${PLAIN}\n${JSON.stringify({ ...RECORDS[0], time: '2026-03-02T10:16:30.5Z' })}`);
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const connection = await (await DuckDBInstance.create()).connect();
    await connection.run(`copy (select * replace (try_cast(time as timestamp) as time) from
      read_json('${source}', columns = {time: 'VARCHAR', client_ip: 'VARCHAR', url: 'VARCHAR', status: 'INTEGER',
      request_headers: 'STRUCT("X-A" VARCHAR)'})) to '${file}' (format parquet)`);
    connection.closeSync();
    const options = {
      profile: PROFILE,
      environments: ENVIRONMENTS,
      files: [file, file],
      reader: FILE_READER,
      breakdown: { top: 3 },
    };
    const found = await replayOnDuckdb(POLICY, options);
    expect(found).toEqual({ kind: 'replayed', summary: await replay(POLICY, options) });
  });

  it.each([
    [
      'rate-limit',
      {
        type: 'rate-limit',
        config: { name: 'x', algorithm: 'sliding_window', capacity: 1, rate: '60s', bucket_key: ['conn.ClientIP'] },
      },
      '`rate-limit` keeps state across exchanges',
    ],
  ])('is refused for %s', async (_, action, reason) => {
    const { found } = await replayed(PLAIN, policyOf(['true', action]));
    expect(found).toEqual({ kind: 'unsuited', reason });
  });

  it.each([
    [
      'access.log',
      '192.0.2.1 - - [21/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl"',
      'DuckDB does not read the format `access-log`',
    ],
    ['table.csv', 'client_ip,method,url\n192.0.2.1,GET,https://e.co/a', 'DuckDB does not read the format `csv`'],
    ['traffic[1].jsonl', PLAIN, 'the name of `FILE` is a glob pattern to DuckDB'],
    [
      'wrapped.log',
      '2026-11-21T10:00:00.123456789Z stdout F {"method":"GET","url":"https://e.co/"}',
      'the lines of `FILE` are wrapped',
    ],
  ])('is refused for %s', async (name, content, reason) => {
    const { found, file } = await replayed(`${content}\n`.repeat(3), POLICY, name);
    expect(found).toEqual({ kind: 'unsuited', reason: reason.replace('FILE', file) });
  });

  const IN_SQL = policyOf(["req.Path.startsWith('/19')", LOG], ["inCidrRange(conn.ClientIP, '10.0.0.0/20')", LOG]);
  const NOT_IN_SQL = policyOf(["req.Path + '/' == '/1/'", LOG], ["conn.ClientIP + ' ' == '10.0.0.1 '", LOG]);

  it.each([
    ['conditions that SQL tests', 20_000, IN_SQL, 'replayed'],
    ['others', 19_999, NOT_IN_SQL, 'replayed'],
    ['others, and is refused', 20_000, NOT_IN_SQL, 'unsuited'],
  ])('has the figures for exchanges with values of their own: %s, %i exchanges', async (_, count, policy, kind) => {
    const lines = Array.from({ length: count }, (_, n) =>
      JSON.stringify({ client_ip: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, url: `https://e.co/${n}` }),
    );
    const { found, expected } = await replayed(lines.join('\n'), policy);
    expect(found).toMatchObject(kind === 'unsuited' ? { kind, reason: 'most values occur only once' } : { kind });
    if (found.kind === 'replayed') expect(withoutKeys(found.summary)).toEqual(withoutKeys(await expected()));
  });

  it('reads values of which the first rows show few', async () => {
    const agents = Array.from({ length: 76_000 }, (_, n) => (n < 9000 ? `curl/${n % 8}` : `agent/${n}`));
    const lines = agents.map(agent => JSON.stringify({ client_ip: '192.0.2.1', user_agent: agent }));
    const policy = policyOf(["req.Headers['User-Agent'][0].endsWith('7')", LOG]);
    const { found, expected } = await replayed(lines.join('\n'), policy);
    expect(found).toEqual({ kind: 'replayed', summary: await expected() });
  });

  it('reads few hosts, however many targets there are', async () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => {
      const target = n % 50 === 0 ? `http://H${n % 7}.example/${n}` : `/${n}`;
      return JSON.stringify({ method: 'GET', host: `h${n % 7}.example`, target });
    });
    const policy = policyOf(["req.Host == 'h1.example'", LOG], ["req.Host.startsWith('h2')", LOG]);
    const { found, expected } = await replayed(lines.join('\n'), policy);
    expect(found.kind).toBe('replayed');
    if (found.kind === 'replayed') expect(withoutKeys(found.summary)).toEqual(withoutKeys(await expected()));
  });

  it('is refused for a condition on decisions', async () => {
    const where = { holds: () => true, valuesOf: () => [], reads: [] };
    const { found } = await replayed(PLAIN, POLICY, 'traffic.jsonl', { select: { where } });
    expect(found).toEqual({ kind: 'unsuited', reason: '`--where` reads every exchange with its decision' });
  });

  it.each<[string, TrafficSelection]>([
    ['no limit', {}],
    ['the time of an exchange', { since: TIME }],
    ['a fraction of a second later', { since: TIME + 1 }],
    ['a time at which an exchange is left out', { until: TIME + 500 }],
    ['a range', { since: TIME, until: TIME + 501 }],
    ['no exchange', { since: TIME + 501 }],
    ['a share', { sample: { percent: 50, seed: 1 } }],
    ['a share of a range', { since: TIME, sample: { percent: 70, seed: 2 } }],
    ['a number', { sample: { count: 4, seed: 1 } }],
    ['a number of those in a range', { until: TIME + 500, sample: { count: 3, seed: 7 } }],
  ])('selects as a replay in process does: %s', async (_, select) => {
    const content = `${PLAIN}\n`.repeat(10);
    const { found, expected } = await replayed(content, POLICY, 'traffic.jsonl', { select });
    expect(found).toEqual({ kind: 'replayed', summary: await expected() });
  });

  it('selects no times that no date has', async () => {
    const { found, expected } = await replayed(`${PLAIN}\n{"time":1e300,"client_ip":"::1"}`, POLICY, 'traffic.jsonl', {
      select: { since: 0 },
    });
    expect(found).toEqual({ kind: 'replayed', summary: await expected() });
  });

  const SELECTED_BY_LINE = [
    ['the last of two times', '{"time":"2020-01-01T00:00:00Z","time":"2026-03-02T10:15:30Z","client_ip":"::1"}'],
    ['a time before null', '{"time":"2020-01-01T00:00:00Z","time":null,"client_ip":"::1"}'],
    ['an escaped name', '{"time":"2020-01-01T00:00:00Z","\\u0074ime":"2026-03-02T10:15:30Z","client_ip":"::1"}'],
    ['a time next to an odd header', '{"time":"2020-01-01T00:00:00Z","request_headers":{"x-a":null},"time":null}'],
    ['a time that the line lacks', '{"client_ip":"::1"}'],
    ['only a time', '{"time":"2020-01-01T00:00:00Z"}'],
    ['a line after a comma', '{"time":"2020-01-01T00:00:00Z","client_ip":"::1",}'],
    ['a line that is not selected', '{"time":"2020-01-01T00:00:00Z","client_ip":"::1"}'],
  ] as const;
  it.each(SELECTED_BY_LINE)('selects by what a line says: %s', async (_, line) => {
    const select = { since: TIME };
    const { found, expected } = await replayed(`${PLAIN}\n${line}`, POLICY, 'traffic.jsonl', { select });
    expect(found).toEqual({ kind: 'replayed', summary: await expected() });
  });

  it('selects by what lines say wherever they are', async () => {
    const content = SELECTED_BY_LINE.map(([, line]) => `${line}\n${PLAIN}\n`).join('');
    const { found, expected } = await replayed(content, POLICY, 'traffic.jsonl', { select: { since: TIME } });
    expect(found).toEqual({ kind: 'replayed', summary: await expected() });
  });

  const USUAL_TIME: fc.Arbitrary<string | undefined> = fc.nat(5_000).map(ms => new Date(TIME + ms).toISOString());
  const TIMES = fc.oneof(
    USUAL_TIME,
    fc.constantFrom('1969-12-31T23:59:58.500Z', '1970-01-01T00:00:00Z', '3000-01-01T00:00:00Z', undefined),
  );
  const LIMIT = fc.oneof(
    fc.nat(5_000).map(ms => TIME + ms),
    fc.constantFrom(-1500, 0, 86_400_000),
  );
  const PARQUET = fc.record({
    type: fc.constantFrom('timestamp', 'timestamptz', 'timestamp_ns', 'timestamp_s', 'varchar', 'date'),
    times: fc.oneof(
      fc.array(TIMES, { minLength: 1, maxLength: 20 }),
      fc.array(USUAL_TIME, { minLength: 1, maxLength: 20 }),
    ),
    silent: fc.constantFrom(0, 0, 3),
    select: fc.oneof(
      fc.record({ since: LIMIT }),
      fc.record({ until: LIMIT }),
      fc.record({ since: LIMIT, until: LIMIT }),
    ),
  });

  it('selects from Parquet files as a replay in process does', async () => {
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const connection = await (await DuckDBInstance.create()).connect();
    await connection.run("set TimeZone = 'UTC'");
    const outcomes: string[] = [];
    await fc.assert(
      fc.asyncProperty(PARQUET, async ({ type, times, silent, select }) => {
        const file = join(folder, 'selected.parquet');
        const rows = times.map((time, at) => {
          const address = silent > 0 && at % silent === 0 ? 'null' : `'10.0.0.${at}'`;
          return `(try_cast(${time === undefined ? 'null' : `'${time}'`} as ${type}), ${address}, ${silent > 0 ? 'null' : `'https://e.co/a'`})`;
        });
        await connection.run(
          `copy (select * from (values ${rows.join(', ')}) t(time, client_ip, url)) to '${file}' (format parquet)`,
        );
        const options = {
          ...{ profile: PROFILE, environments: ENVIRONMENTS, files: [file, file], reader: FILE_READER },
          ...{ breakdown: { top: 3 }, select },
        };
        const found = await replayOnDuckdb(POLICY, options);
        outcomes.push(found.kind);
        if (found.kind === 'replayed') expect(found.summary).toEqual(await replay(POLICY, options));
        else expect(found).toMatchObject({ reason: 'some records have none of the fields that are read' });
      }),
      { numRuns: runs(10, 1000) },
    );
    connection.closeSync();
    expect(outcomes.filter(kind => kind === 'replayed').length).toBeGreaterThan(outcomes.length / 2);
  });

  const nested = (...times: readonly unknown[]) =>
    times.map((at, number) => JSON.stringify({ http: { at, uri: `/a${number}` } })).join('\n');
  it.each([
    ['all times', nested('2026-03-02T01:15:30Z', '2026-03-02T02:15:30Z', '2026-03-02T03:15:30Z')],
    ['some times', nested('2026-03-02T01:15:30Z', undefined, 1_772_446_530_500, 'yesterday', null)],
    ['no times', nested(undefined, undefined)],
    ['names with dots', [1, 2, 3].map(at => `{"http.at":"2026-03-02T0${at}:15:30Z","http.uri":"/a${at}"}`).join('\n')],
    [
      'both',
      `${nested('2026-03-02T03:15:30Z')}\n{"http.at":"2026-03-02T03:15:30Z","http.uri":"/a"}`,
      'records have their times in several members',
    ],
  ])('reads members of objects as in process: %s', async (_, lines, reason?: string) => {
    const fields = { time: 'http.at', target: 'http.uri' };
    const traffic = { format: 'json-lines', mapping: { fields } } as const;
    for (const others of [{ traffic }, { traffic, select: { since: Date.parse('2026-03-02T02:00:00Z') } }]) {
      const { found, expected } = await replayed(lines, POLICY, 'nested.jsonl', others);
      expect(found).toEqual(
        reason === undefined ? { kind: 'replayed', summary: await expected() } : { kind: 'unsuited', reason },
      );
    }
  });

  it('takes a status in quotes in a Parquet file for one that is not known', async () => {
    const file = join(folder, 'quoted.parquet');
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const connection = await (await DuckDBInstance.create()).connect();
    await connection.run(`copy (select * from (values ('"404"', {'X-A': '1'}), ('200', null)) t(status, request_headers))
      to '${file}' (format parquet)`);
    connection.closeSync();
    const options = { profile: PROFILE, environments: ENVIRONMENTS, files: [file], reader: FILE_READER };
    const policy = policyOf(["'X-A' in req.Headers", LOG]);
    const expected = await replay(policy, options);
    expect(expected.rules[0]).toMatchObject({ matched: 0, undetermined: 2 });
    expect(await replayOnDuckdb(policy, options)).toEqual({ kind: 'replayed', summary: expected });
  });

  it('replays columns, structs and maps of Parquet files as in process', async () => {
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const connection = await (await DuckDBInstance.create()).connect();
    const outcomes: string[] = [];
    const [lines, file] = [join(folder, 'columns.jsonl'), join(folder, 'columns.parquet')];
    const properties = [VARIED_LINES, PLAIN_LINES].map(content =>
      fc.asyncProperty(
        meaningfulPolicies(PROFILE, ENDPOINT),
        content,
        SELECTIONS,
        fc.constantFrom(undefined, 4),
        fc.boolean(),
        async (document, text, select, manyValues, asMaps) => {
          writeFileSync(lines, text);
          const inference = `map_inference_threshold = ${asMaps ? 1 : -1}`;
          await connection.run(
            `copy (from read_json('${lines}', format = 'newline_delimited', ${inference})) to '${file}' (format parquet)`,
          );
          const source = new SourceText('policy.json', JSON.stringify(document));
          const place = { profile: PROFILE, endpoint: ENDPOINT, environments: ENVIRONMENTS };
          const { policy } = analyzePolicy(source, place);
          const options = {
            ...{ profile: PROFILE, environments: ENVIRONMENTS, files: [file, file], reader: FILE_READER },
            ...{ breakdown: { top: 3 }, ...(select && { select }) },
          };
          const found = await replayOnDuckdb(policy!, options, { threads: 2, manyValues });
          outcomes.push(found.kind === 'unsuited' ? found.reason : found.kind);
          if (found.kind === 'replayed') expect(found.summary).toEqual(await replay(policy!, options));
          else expect(found).not.toMatchObject({ reason: expect.stringMatching(/Error/) });
        },
      ),
    );
    for (const property of properties) await fc.assert(property, { numRuns: runs(2, 400, 'PARQUET_RUNS') });
    connection.closeSync();
    expect(outcomes.filter(kind => kind === 'replayed').length).toBeGreaterThan(outcomes.length / 3);
  });

  it('does not read groups of rows of a Parquet file without a selected time', async () => {
    const file = join(folder, 'groups.parquet');
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const connection = await (await DuckDBInstance.create()).connect();
    await connection.run(`copy (select epoch_ms(${TIME} + i) as time, '10.0.0.' || i % 200 as client_ip, 'https://e.co/' || i as url
      from range(8192) t(i)) to '${file}' (format parquet, row_group_size 2048, compression uncompressed)`);
    connection.closeSync();
    const bytes = readFileSync(file);
    // Of the second and later groups, the path of each row and all else are overwritten up to the statistics.
    bytes.fill(0xff, bytes.indexOf('https://e.co/2100') - 64, bytes.lastIndexOf('https://e.co/8100') + 64);
    writeFileSync(file, bytes);
    const options = { profile: PROFILE, environments: ENVIRONMENTS, files: [file], reader: FILE_READER };
    const select = { until: TIME + 1000 };
    const found = await replayOnDuckdb(POLICY, { ...options, select }, { threads: 1 });
    expect(found).toMatchObject({ kind: 'replayed', summary: { exchanges: 8192, selection: { selected: 1000 } } });
    expect(await replayOnDuckdb(POLICY, options)).toMatchObject({ kind: 'unsuited' });
  });

  it.each(['before', 'during'])('stops %s loading, and removes its temporary files', async when => {
    const own = mkdtempSync(join(folder, 'tmp-'));
    vi.stubEnv('TMPDIR', own);
    const controller = new AbortController();
    if (when === 'before') controller.abort();
    const { found } = await replayed(`${PLAIN}\n`.repeat(50_000), POLICY, 'traffic.jsonl', {
      watch: { stop: controller.signal },
      traffic: { onBytes: () => controller.abort() },
    });
    vi.unstubAllEnvs();
    expect(found).toEqual({ kind: 'stopped' });
    expect(readdirSync(own)).toEqual([]);
  });

  it('removes the temporary files of a process that was killed, and not of one that runs', async () => {
    const own = mkdtempSync(join(folder, 'tmp-'));
    const { pid } = spawnSync('true');
    for (const owner of [pid, process.pid]) mkdirSync(join(own, `tollgate-query-${hostname()}-${owner}-x`));
    vi.stubEnv('TMPDIR', own);
    await replayed(PLAIN);
    vi.unstubAllEnvs();
    expect(readdirSync(own)).toEqual([`tollgate-query-${hostname()}-${process.pid}-x`]);
  });

  it('removes its temporary files', async () => {
    const own = mkdtempSync(join(folder, 'tmp-'));
    vi.stubEnv('TMPDIR', own);
    await replayed(PLAIN);
    vi.unstubAllEnvs();
    expect(readdirSync(own)).toEqual([]);
  });
});
