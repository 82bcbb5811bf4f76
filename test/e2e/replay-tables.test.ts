import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCaptured } from '../../packages/cli/src/run-captured.ts';
import { eventually } from '../support/eventually.ts';
import { installedCommand } from '../support/installed-command.ts';
import { postgresForTests } from '../support/postgres.ts';

const directory = mkdtempSync(join(tmpdir(), 'tollgate-replay-tables-'));
const postgres = await postgresForTests();
const url = (await postgres?.newDatabase()) ?? '';

afterAll(() => {
  rmSync(directory, { recursive: true });
  postgres?.stop();
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

async function query(sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

function replayed(table: string, ...options: readonly string[]) {
  return runCaptured(['replay', '--engine', 'postgres', '--connect', url, '--table', table, ...options, POLICY]);
}

describe.skipIf(postgres === undefined)('a replay on a table of PostgreSQL', () => {
  beforeAll(async () => {
    await query(`create table logs(at timestamptz, remote inet, verb text, uri text, code integer, "User Agent" bytea);
      insert into logs select '2026-11-21T10:00:00Z'::timestamptz + n * interval '1 second', '192.0.2.1', 'GET',
        case when n % 4 = 0 then '/admin/' || n else '/' end, 200, null from generate_series(1, 100) n`);
  });

  it('reports what happens to the traffic, with a mapping of columns and expressions', async () => {
    const mapping = join(directory, 'mapping.yaml');
    writeFileSync(
      mapping,
      'fields: { client_ip: remote, method: verb, target: uri }\nsql: { time: at, status: code + 1 }\n',
    );
    const { code, output } = await replayed('logs', '--mapping', mapping, '--format', 'json');
    const report = JSON.parse(output);
    expect(code).toBe(0);
    expect(report.engine).toEqual({ name: 'postgres' });
    expect(report.files).toEqual([{ file: 'logs', exchanges: 100, skipped: 0 }]);
    expect(report.rules[0].matched).toBe(25);
    expect(report.breakdown.statuses.map((one: { recorded: number }) => one.recorded)).toContain(201);
    expect(report.breakdown.rules[0].keys.clients.top).toEqual([{ text: '192.0.2.1', count: { least: 25, most: 25 } }]);
  });

  it('replays a query in parentheses', async () => {
    const { output } = await replayed(`(select uri from logs limit 8)`, '--fields', 'target=uri');
    expect(output).toMatch(/^\S+ \(\S+\) on 8 exchanges, replayed by PostgreSQL\n {2}rows of a table have no numbers/);
  });

  it.each([
    ['a table that does not exist', 'nothing', [], 'PostgreSQL failed: relation "nothing" does not exist'],
    [
      'a table without the columns',
      'logs',
      [],
      'no column of `logs` holds a field of exchanges; found `at`, `remote`, `verb`, `uri`, `code`, `User Agent`; map fields to columns with `--mapping` or `--fields`',
    ],
    [
      'a mapping to a column that does not exist',
      'logs',
      ['--fields', 'client_ip=remote_addr'],
      '`logs` has no column `remote_addr` for the field `client_ip`; found `at`, `remote`, `verb`, `uri`, `code`, `User Agent`',
    ],
    [
      'a column of a wrong type',
      'logs',
      ['--fields', 'user_agent=User Agent'],
      'column `User Agent` has the type `bytea`, which holds no field of an exchange; map the field to an expression with a string, number or time',
    ],
    [
      'a query that fails at a row',
      '(select uri, 1 / (code - 200) as status from logs)',
      ['--fields', 'target=uri'],
      'PostgreSQL failed: division by zero',
    ],
  ] as const)('says in one line what is wrong with %s, without a figure', async (_, table, options, message) => {
    expect(await replayed(table, ...options)).toEqual({ code: 3, output: '', errors: `tollgate: ${message}\n` });
  });

  const impact = (...options: readonly string[]) => {
    const becomes = join(directory, 'becomes.yaml');
    writeFileSync(
      becomes,
      'inbound: [{ expressions: ["req.Path == \'/\'"], actions: [{ type: deny, config: { status_code: 403 } }] }]',
    );
    const place = [
      '--engine',
      'postgres',
      '--connect',
      url,
      '--table',
      'logs',
      '--fields',
      'client_ip=remote,target=uri',
    ];
    return runCaptured(['impact', ...place, ...options, POLICY, becomes]);
  };

  it('shows the impact of a change', async () => {
    const { code, output, errors } = await impact('--top', '1', '--max-newly-denied', '80%');
    expect([code, errors]).toEqual([0, '']);
    expect(output.slice(output.indexOf(':') + 2)).toBe(`100 of 100 exchanges change (100 %)

  traffic  exchanges  skipped
  logs           100        ·

  was              becomes          exchanges        clients
  passed           denied with 403         75  75 %        1
  denied with 403  passed                  25  25 %        1
  newly denied: 75 (75 %)

  passed → denied with 403  75 exchanges, 1 client
    rules      no rule → inbound 1 (75)
    prefixes   / (75)
    paths      / (75)
    clients    192.0.2.1 (75)

  denied with 403 → passed  25 exchanges, 1 client
    rules      inbound 1 (no admin) → no rule (25)
    prefixes   /admin/ (25)
    paths      /admin/100 (1), 25 in total
    clients    192.0.2.1 (25)

  kept  --max-newly-denied 80%: 75 of 100 exchanges (75 %) are newly denied
`);
  });

  it('refuses a guard on a table', async () => {
    expect(await impact('--never-touch', 'true')).toEqual({
      code: 3,
      output: '',
      errors:
        'tollgate: cannot replay on a table: `--never-touch` reads every exchange that changes with its decisions; replay exported records instead\n',
    });
  });

  it('says in one line that the server is down', async () => {
    const args = [
      'replay',
      '--engine',
      'postgres',
      '--connect',
      'postgres://nobody@127.0.0.1:1/x',
      '--table',
      'logs',
      POLICY,
    ];
    const { code, output, errors } = await runCaptured(args);
    expect([code, output]).toEqual([3, '']);
    expect(errors).toBe('tollgate: cannot reach PostgreSQL at 127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1\n');
  });

  /** Starts a replay of a query that takes longer than any test, and returns the number of its process on the server. */
  async function started() {
    const slow = `(select uri, pg_sleep(0.2)::text as method from logs cross join generate_series(1, 1000000))`;
    const args = [
      'replay',
      '--engine',
      'postgres',
      '--connect',
      url,
      '--table',
      slow,
      '--fields',
      'target=uri',
      POLICY,
    ];
    const child = spawn(process.execPath, [await installedCommand(), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let [output, errors] = ['', ''];
    child.stdout.on('data', data => (output += data));
    child.stderr.on('data', data => (errors += data));
    const ended = once(child, 'close').then(([status]) => ({ status, output, errors }));
    await eventually(async () => (await running()).length > 0);
    return { child, ended };
  }

  const running = () =>
    query(`select pid from pg_stat_activity where application_name = 'tollgate' and wait_event = 'PgSleep'`);

  it('cancels the query on the server after Ctrl-C', async () => {
    const { child, ended } = await started();
    child.kill('SIGINT');
    expect(await ended).toEqual({
      status: 130,
      output: '',
      errors: 'tollgate: interrupted; the query on the engine was canceled, and nothing is reported\n',
    });
    await eventually(async () => (await running()).length === 0);
  });

  it('says in one line that the query was killed, without a figure', async () => {
    const { ended } = await started();
    const [found] = await running();
    await query(`select pg_terminate_backend(${found!.pid})`);
    expect(await ended).toEqual({
      status: 3,
      output: '',
      errors: 'tollgate: PostgreSQL failed: terminating connection due to administrator command\n',
    });
  });
});

it.each([
  [
    ['--engine', 'postgres', 'POLICY'],
    'use `--table` together with `--engine postgres`, `clickhouse`, `trino` or `spark`',
  ],
  [['--table', 'x', 'POLICY'], 'use `--table` together with `--engine postgres`, `clickhouse`, `trino` or `spark`'],
  [['--engine', 'postgres', '--table', 'x', 'POLICY', 'y.log'], '`--table` replaces recordings and `--edge`'],
])('refuses options that do not fit together: %s', async (options, message) => {
  const { code, errors } = await runCaptured(['replay', ...options.map(one => (one === 'POLICY' ? POLICY : one))]);
  expect([code, errors]).toEqual([2, expect.stringContaining(message)]);
});
