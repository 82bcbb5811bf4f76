import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCaptured } from '../../packages/cli/src/run-captured.ts';
import { clickhouseForTests } from '../support/clickhouse.ts';
import { postgresForTests } from '../support/postgres.ts';

const directory = mkdtempSync(join(tmpdir(), 'tollgate-changing-tables-'));
const [postgres, clickhouse] = [await postgresForTests(), await clickhouseForTests()];

afterAll(() => {
  rmSync(directory, { recursive: true });
  postgres?.stop();
  clickhouse?.stop();
});

/** The second rule is decided by the values of each group, and the third has an error for some of them. */
const POLICIES = [
  `inbound:
  - expressions: ["req.Path.startsWith('/admin')"]
    actions: [{ type: deny, config: { status_code: 403 } }]
  - expressions: ["req.Path.startsWith('/old')"]
    actions: [{ type: url-rewrite, config: { from: '/old/(.*)', to: '/new/$1' } }]
  - expressions: ["req.Path == '/new/1' && getReqHeader('X-A')[0] == 'a'"]
    actions: [{ type: deny, config: { status_code: 404 } }]
`,
  'inbound: []\n',
].map((text, at) => {
  const path = join(directory, `policy${at}.yaml`);
  writeFileSync(path, text);
  return path;
}) as [string, string];

const FIELDS = ['--fields', 'target=uri'];
const TABLE_OPTIONS = [...FIELDS, '--format', 'json'];

describe.skipIf(clickhouse === undefined)('a table of ClickHouse that changes', () => {
  /** Queries from this one on read the table `later` instead of `logs`. */
  let change = 0;
  let count = 0;
  const proxy = createServer(async (request, response) => {
    let sql = '';
    for await (const part of request) sql += part;
    count++;
    const body = count < change ? sql : sql.replaceAll('from logs', 'from later');
    const answer = await fetch(new URL(request.url!, clickhouse!.url), { method: 'POST', body });
    response.writeHead(answer.status);
    response.end(await answer.text());
  });

  beforeAll(async () => {
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const rows = (
      admin: number,
    ) => `select if(number < ${admin}, '/admin/', if(number < 60, '/old/', '/')) || toString(number % 7) as uri,
      toDateTime('2026-11-21 10:00:00', 'UTC') + number as time, '192.0.2.1' as client_ip from numbers(100)`;
    await clickhouse!.run(`create table logs engine = Memory as ${rows(20)}`);
    await clickhouse!.run(`create table later engine = Memory as ${rows(10)}`);
  });
  afterAll(() => proxy.close());

  const run = (from: number, command: string, given: readonly string[]) => {
    [change, count] = [from, 0];
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/`;
    const options = ['--engine', 'clickhouse', '--connect', url, '--table', 'logs'];
    return runCaptured([command, ...options, ...given]);
  };

  it.each([
    ['replay', [...TABLE_OPTIONS, POLICIES[0]]],
    ['replay', ['--where', "decision.outcome == 'denied'", ...TABLE_OPTIONS, POLICIES[0]]],
    ['impact', [...TABLE_OPTIONS, ...[...POLICIES].reverse()]],
    ['record', ['--origin', 'https://a.example', ...FIELDS, POLICIES[0]]],
  ])('leads to no wrong figure of `%s`, whichever query is the first to see other rows', async (command, given) => {
    const never = await run(Number.POSITIVE_INFINITY, command, given);
    const queries = count;
    expect(never.code).toBe(0);
    const always = await run(0, command, given);
    // Both tables have the same paths.
    if (command === 'record') expect(always.output).toBe(never.output);
    else expect(always.output).not.toBe(never.output);
    let failed = 0;
    for (let from = 1; from <= queries; from++) {
      const { code, output, errors } = await run(from, command, given);
      if (code === 0) expect([never.output, always.output]).toContain(output);
      else {
        expect([code, output, errors]).toEqual([3, '', expect.stringMatching(MESSAGE)]);
        failed++;
      }
    }
    expect(failed).toBeGreaterThan(0);
  });
});

const MESSAGE =
  /^tollgate: two queries of `.+` found different records; restrict it to records that are complete, such as those of a day, and choose some with `--since` or `--sample` instead of `limit` or random numbers\n$/;

it.skipIf(postgres === undefined)('says that a query in parentheses has other rows each time', async () => {
  const url = await postgres!.newDatabase();
  const client = new pg.Client(url);
  await client.connect();
  await client.query(
    "create table logs as select case when n % 3 = 0 then '/admin/' else '/' end || n as uri from generate_series(1, 30000) n",
  );
  await client.end();
  const table = '(select * from logs order by random() limit 10000)';
  const options = ['--engine', 'postgres', '--connect', url, '--table', table, '--top', '0', ...TABLE_OPTIONS];
  const { code, output, errors } = await runCaptured(['replay', ...options, POLICIES[0]]);
  expect([code, output, errors]).toEqual([3, '', expect.stringMatching(MESSAGE)]);
});
