import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCaptured } from '../../packages/cli/src/run-captured.ts';
import { clickhouseForTests } from '../support/clickhouse.ts';
import { trinoForTests } from '../support/cluster-engines.ts';
import { postgresForTests } from '../support/postgres.ts';

const directory = mkdtempSync(join(tmpdir(), 'tollgate-tables-of-users-'));
const [postgres, clickhouse, trino] = [await postgresForTests(), await clickhouseForTests(), await trinoForTests()];
const database = (await postgres?.newDatabase()) ?? '';

afterAll(async () => {
  rmSync(directory, { recursive: true });
  postgres?.stop();
  clickhouse?.stop();
  await trino?.stop();
});

const POLICY = join(directory, 'policy.yaml');
writeFileSync(
  POLICY,
  `inbound:
  - name: no admin
    expressions: ["req.Path.startsWith('/admin')"]
    actions: [{ type: deny, config: { status_code: 403 } }]
`,
);

async function onPostgres(sql: string): Promise<void> {
  const client = new pg.Client(database);
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** Of 10,000 requests, one a second from 10:00 on, each tenth is for `/admin`; those of the first minute have no time. */
const ENGINES = [
  {
    ...{ name: 'postgres', url: postgres && database, run: onPostgres },
    logs: `create table logs as select case when n >= 60 then timestamptz '2026-11-21T10:00:00Z' + n * interval '1 second' end as time,
      case when n >= 60 then to_char(timestamp '2026-11-21T10:00:00' + n * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS".123456Z"') end as written,
      '192.0.2.' || n % 200 as client_ip, case when n % 10 = 0 then '/admin/' else '/' end || n as target, n as id from generate_series(0, 9999) n`,
    strange: `'a'::bytea`,
    upper: (name: string) => `"${name}"`,
    text: 'text',
  },
  {
    ...{ name: 'clickhouse', url: clickhouse?.url, run: async (sql: string) => void (await clickhouse?.run(sql)) },
    logs: `create table logs engine = MergeTree order by id as select if(number >= 60, toDateTime64('2026-11-21 10:00:00', 3, 'UTC') + number, null) as time,
      if(number >= 60, concat(formatDateTime(toDateTime('2026-11-21 10:00:00', 'UTC') + number, '%FT%T'), '.123456Z'), null) as written,
      concat('192.0.2.', toString(number % 200)) as client_ip,
      concat(if(number % 10 = 0, '/admin/', '/'), toString(number)) as target, number as id from numbers(10000)`,
    strange: 'toIntervalDay(1)',
    upper: (name: string) => name,
    text: 'String',
  },
  {
    ...{ name: 'trino', url: trino?.url, run: async (sql: string) => void (await trino?.run(sql)) },
    logs: `create table logs as select case when n >= 60 then timestamp '2026-11-21 10:00:00 UTC' + n * interval '1' second end as time,
      case when n >= 60 then concat(substr(to_iso8601(timestamp '2026-11-21 10:00:00' + n * interval '1' second), 1, 19), '.123456Z') end as written,
      concat('192.0.2.', cast(n % 200 as varchar)) as client_ip,
      concat(case when n % 10 = 0 then '/admin/' else '/' end, cast(n as varchar)) as target, n as id from unnest(sequence(0, 9999)) as t(n)`,
    strange: `interval '1' day`,
    upper: (name: string) => name,
    text: 'varchar',
  },
] as const;

describe.each(ENGINES)('a table of $name', ({ name, url, run, logs, strange, upper, text }) => {
  beforeAll(async () => {
    if (url === undefined) return;
    await run('drop table if exists logs');
    await run(logs);
  });

  const replayed = (table: string, ...options: readonly string[]) =>
    runCaptured(['replay', '--engine', name, '--connect', url!, '--table', table, ...options, POLICY]);
  const figures = async (...args: Parameters<typeof replayed>) => {
    const { code, output, errors } = await replayed(...args, '-f', 'json');
    expect([code, errors]).toEqual([0, '']);
    const { exchanges, selection, rules, skipped, breakdown } = JSON.parse(output);
    return { exchanges, selection, matched: rules[0].matched, skipped, time: breakdown.time };
  };
  const HOUR = ['--since', '2026-11-21T11:00:00Z', '--until', '2026-11-21T12:00:00Z'];

  it.skipIf(url === undefined).each([
    ['times', []],
    ['strings', ['--fields', 'time=written']],
    ['numbers', ['--mapping', join(directory, 'numbers.yaml')]],
  ])('is replayed for a range of time, in a column of %s', async (_, options) => {
    const time: Record<string, string> = {
      postgres: 'extract(epoch from time)',
      clickhouse: 'toUnixTimestamp64Milli(time)',
      trino: 'to_unixtime(time)',
    };
    writeFileSync(join(directory, 'numbers.yaml'), `sql: { time: ${time[name]} }`);
    const { time: counted, ...found } = await figures('logs', ...options, ...HOUR);
    const selection = { selected: 3600, unknown: 60 };
    expect(found).toEqual({ exchanges: 3600, selection, matched: 360, skipped: [] });
    expect([counted.starts[0], counted.untimed]).toEqual([Date.parse('2026-11-21T11:00:00Z'), 0]);
  });

  it.skipIf(url === undefined)('is replayed as a sample, the same for the same size', async () => {
    const one = await figures('logs', '--sample', '10%');
    expect(one.exchanges).toBeGreaterThan(850);
    expect(one.exchanges).toBeLessThan(1150);
    expect(one.selection).toEqual({ selected: one.exchanges, unknown: 0 });
    expect(one.matched).toBeGreaterThan(50);
    expect(await figures('logs', '--sample', '10%')).toEqual(one);
    expect(await figures('logs', '--sample', '100%')).toMatchObject({ exchanges: 10_000, matched: 1000 });
    expect(await figures('logs', '--sample', '1000', ...HOUR)).toMatchObject({
      ...{ exchanges: 1000, selection: { selected: 1000, unknown: 60 } },
    });
    expect((await replayed('logs', '--sample', '10%')).output).toContain(
      `  ${one.exchanges.toLocaleString('en')} exchanges selected\n`,
    );
  });

  it.skipIf(url === undefined)('needs a time for a range of time', async () => {
    const { code, errors } = await replayed('(select target from logs)', ...HOUR);
    expect([code, errors]).toEqual([
      3,
      'tollgate: no column of `(select target from logs)` holds the time, which `--since` and `--until` need; map `time` to a column\n',
    ]);
  });

  it.skipIf(url === undefined)('may have names in upper case', async () => {
    const table = `(select target as ${upper('TARGET')}, client_ip as ${upper('Client_IP')} from logs)`;
    expect(await figures(table)).toMatchObject({ exchanges: 10_000, matched: 1000 });
    const { code, errors } = await replayed(`(select target as uri from logs)`, '--fields', 'target=URI');
    expect([code, errors]).toEqual([
      3,
      'tollgate: `(select target as uri from logs)` has no column `URI` for the field `target`; did you mean `uri`?\n',
    ]);
  });

  it.skipIf(url === undefined)('may have a column of any type that no rule reads', async () => {
    const table = `(select target, ${strange} as status, ${strange} as client_ip from logs)`;
    expect(await figures(table)).toMatchObject({ exchanges: 10_000, matched: 1000 });
  });

  it.skipIf(url === undefined)('skips rows of a load balancer that are no requests', async () => {
    const cast = (value: string) => `cast('${value}' as ${text})`;
    const row = (verb: string, request: string) =>
      `select ${cast(verb)} as request_verb, ${cast(request)} as request_url, ${cast('2026-11-21T10:00:00.123456Z')} as time`;
    const table = `(${row('GET', 'https://shop.example:443/admin')} union all ${row('-', 'http://shop.example:80-')} union all ${row('-', '-')} union all ${row('-', 'http://:80-')})`;
    const found = await figures(table, '--mapping', 'alb');
    const log = join(directory, 'alb.log');
    const line = (request: string) =>
      `https 2026-11-21T10:00:00.123456Z app/a/1 192.0.2.1:5 - 0 0 0 200 200 1 2 "${request}" "curl" - - arn "Root=1" "-" "-" 0 2026-11-21T10:00:00.123456Z "-" "-" "-" "-" "-" "-" "-"\n`;
    const requests = [
      'GET https://shop.example:443/admin HTTP/1.1',
      '- http://shop.example:80- -',
      '- - -',
      '- http://:80- -',
    ];
    writeFileSync(log, requests.map(line).join(''));
    const { output } = await runCaptured(['replay', '-f', 'json', POLICY, log]);
    const { exchanges, skipped, rules } = JSON.parse(output);
    expect(found).toMatchObject({ exchanges, matched: rules[0].matched });
    expect([found.exchanges, found.matched]).toEqual([1, 1]);
    const counts = (all: typeof skipped) =>
      all.map(({ reason, count }: { reason: string; count: number }) => [reason, count]);
    expect(counts(found.skipped)).toEqual(counts(skipped));
  });

  it.skipIf(url === undefined)('is refused with a wrong expression, whose field is named', async () => {
    const mapping = join(directory, 'wrong.yaml');
    writeFileSync(mapping, 'sql: { target: target, user_agent: agent_of(target) }\n');
    const { code, output, errors } = await replayed('logs', '--mapping', mapping);
    expect([code, output]).toEqual([3, '']);
    expect(errors).toMatch(/^tollgate: `sql` of the field `user_agent`: [^\n]*agent_of[^\n]*\n$/);
  });

  it.each(['--traffic-format', '--log-format'])('is refused with `%s`', async option => {
    const options = [
      '--engine',
      name,
      '--connect',
      'x',
      '--table',
      'logs',
      option,
      option === '--log-format' ? 'common' : 'csv',
    ];
    for (const command of [['replay'], ['impact', POLICY]])
      expect(await runCaptured([...command, ...options, POLICY])).toMatchObject({
        ...{ code: 2, output: '' },
        errors: expect.stringContaining(
          `tollgate: \`${option}\` is about files, and the columns of a table have names; use \`--mapping\` or \`--fields\``,
        ),
      });
  });
});

// With values that divide groups, more than 200,000 different ones are refused.
describe.skipIf(clickhouse === undefined)('the impact on a table in which every path is another', () => {
  const ROWS = `(select concat(if(number % 2 = 0, '/a/', '/b/'), toString(number)) as target, 'GET' as method from numbers(200001))`;
  const LATER = `  - expressions: ["req.url.path.startsWith('/a/')"]
    actions: [{ type: log, config: { metadata: { later: yes } } }]
`;

  it.each([
    ['add-headers', '{ headers: { x-a: "1" } }', '200,001 of 200,001', 'passed → passed, other request headers'],
    ['remove-headers', '{ headers: [x-a] }', '0–200,001 of 200,001', 'passed → passed, other request headers'],
    ['log', '{ metadata: { a: b } }', '200,001 of 200,001', 'passed → passed, other log'],
    ['custom-response', '{ status_code: 404, body: no }', '200,001 of 200,001', 'passed → answered with 404'],
    ['deny', '{ status_code: 404 }', '200,001 of 200,001', 'passed → denied with 404'],
  ])('of `%s` in a rule before others is counted', async (type, config, count, change) => {
    const [was, becomes] = ['was.yaml', 'becomes.yaml'].map(name => join(directory, name)) as [string, string];
    const added = `  - expressions: ["req.method == 'GET'"]
    actions: [{ type: ${type}, config: ${config} }]
`;
    writeFileSync(was, `on_http_request:\n${LATER}`);
    writeFileSync(becomes, `on_http_request:\n${added}${LATER}`);
    const place = ['--engine', 'clickhouse', '--connect', clickhouse!.url, '--table', ROWS];
    const { code, output, errors } = await runCaptured(['impact', ...place, was, becomes]);
    expect([code, errors]).toEqual([0, '']);
    expect(output).toContain(`${count} exchanges change`);
    expect(output).toContain(change);
  });
});
