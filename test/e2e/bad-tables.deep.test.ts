import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCaptured } from '../../packages/cli/src/run-captured.ts';
import { openPostgres } from '../../packages/query/src/engines/postgres.ts';
import { clickhouseForTests } from '../support/clickhouse.ts';
import { eventually } from '../support/eventually.ts';
import { installedCommand } from '../support/installed-command.ts';
import { postgresForTests } from '../support/postgres.ts';

const directory = mkdtempSync(join(tmpdir(), 'tollgate-bad-tables-'));
const [postgres, clickhouse] = [await postgresForTests(), await clickhouseForTests()];
const database = (await postgres?.newDatabase()) ?? '';

afterAll(() => {
  rmSync(directory, { recursive: true });
  postgres?.stop();
  clickhouse?.stop();
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

const HEADER_POLICY = join(directory, 'headers.yaml');
writeFileSync(HEADER_POLICY, `inbound: [{ expressions: ["'X-A' in req.Headers"], actions: [{ type: log }] }]\n`);

async function onPostgres(sql: string): Promise<readonly string[]> {
  const client = new pg.Client(database);
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows?.map(row => String(row[0])) ?? [];
  } finally {
    await client.end();
  }
}

async function onClickhouse(sql: string): Promise<readonly string[]> {
  const found = await clickhouse!.run(sql);
  return found.split('\n').filter(line => line !== '');
}

interface Engine {
  readonly name: 'postgres' | 'clickhouse';
  readonly product: string;
  readonly url: string | undefined;
  readonly run: (sql: string) => Promise<readonly string[]>;
  /** Creates the table `logs`. */
  readonly table: readonly string[];
  /** A column of a type that holds no field, and that type. */
  readonly strange: readonly [sql: string, type: string];
  readonly list: string;
  readonly json: string;
  readonly headers: string;
  readonly object: (at: string) => string;
  /** Numbers from 1 on, as the column `n` of an item of `from`. */
  readonly numbers: (count: number) => string;
  /** A server with little room for temporary files. */
  readonly small: string;
  /** A query that takes longer than any test. */
  readonly slow: string;
  readonly running: string;
  readonly kill: string;
  readonly messages: Readonly<Record<'noTable' | 'division' | 'down' | 'full' | 'killed', string>>;
}

const ENGINES: readonly Engine[] = [
  {
    ...{ name: 'postgres', product: 'PostgreSQL', url: postgres && database, run: onPostgres },
    table: [
      'create table logs(remote inet, uri text, code text)',
      `insert into logs select '192.0.2.1', case when n % 4 = 0 then '/admin/' || n else '/' end, '200' from generate_series(1, 100) n`,
    ],
    strange: [`'a'::bytea`, 'bytea'],
    list: `array['/admin', '/']`,
    json: `'["/admin"]'::jsonb`,
    headers: `'{"X-A": "1"}'::jsonb`,
    object: at => `'{"at": "${at}", "uri": "/admin"}'::jsonb`,
    numbers: count => `(select n from generate_series(1, ${count}) n) numbers`,
    small: `${database}?options=-c%20temp_file_limit=64%20-c%20work_mem=64`,
    slow: `(select uri, pg_sleep(0.2)::text as method from logs cross join generate_series(1, 1000000))`,
    running: `select pid from pg_stat_activity where application_name = 'tollgate' and wait_event = 'PgSleep'`,
    kill: `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tollgate'`,
    messages: {
      noTable: 'relation "nothing" does not exist',
      division: 'division by zero',
      down: 'cannot reach PostgreSQL at 127.0.0.1:2: connect ECONNREFUSED 127.0.0.1:2',
      full: 'temporary file size exceeds temp_file_limit (64kB)',
      killed: 'terminating connection due to administrator command',
    },
  },
  {
    ...{ name: 'clickhouse', product: 'ClickHouse', url: clickhouse?.url, run: onClickhouse },
    table: [
      'create table logs(remote IPv4, uri String, code String) engine = Memory',
      `insert into logs select '192.0.2.1', if(number % 4 = 0, concat('/admin/', toString(number)), '/'), '200' from numbers(100)`,
    ],
    strange: ['toIntervalDay(1)', 'IntervalDay'],
    list: `['/admin', '/']`,
    json: `tuple('/admin')`,
    headers: `map('X-A', '1')`,
    object: at => `cast(('${at}', '/admin'), 'Tuple(at String, uri String)')`,
    numbers: count => `(select number + 1 as n from numbers(${count})) numbers`,
    small: `${clickhouse?.url}?max_bytes_before_external_group_by=10000&max_bytes_ratio_before_external_group_by=0&max_temporary_data_on_disk_size_for_query=100000`,
    slow: `(select '/' as uri from numbers(1000000) where sleepEachRow(0.01) = 0 settings max_block_size = 100)`,
    running: `select query_id from system.processes where query like '%sleepEachRow%' and query not like '%system.processes%'`,
    kill: `kill query where query like '%sleepEachRow%' and query not like '%system.processes%'`,
    messages: {
      noTable:
        "Unknown table expression identifier 'nothing'. In scope SELECT * FROM nothing AS tollgate_table. (UNKNOWN_TABLE)",
      division: 'Division by zero',
      down: 'cannot reach ClickHouse at 127.0.0.1:2: connect ECONNREFUSED 127.0.0.1:2',
      full: 'Limit for temporary files size exceeded',
      // The engine says where the query was.
      killed: 'Query (?:was cancelled[.]|[^ ]+ is killed in pending state[.]) [(]QUERY_WAS_CANCELLED[)]',
    },
  },
];

it.skipIf(postgres?.restart === undefined)('says in one line that PostgreSQL refuses the password', async () => {
  const [hba] = await onPostgres('show hba_file');
  const [rules] = await onPostgres(`select pg_read_file('${hba}')`);
  const lines = `host all ada all scram-sha-256\n${rules}`.split('\n').filter(line => /^\w/.test(line));
  const values = lines.map(line => `('${line}')`).join(', ');
  await onPostgres(`copy (select * from (values ${values}) x) to '${hba}'; select pg_reload_conf()`);
  await onPostgres(`create role ada login password 'right'`);
  const place = new URL(database);
  place.username = 'ada';
  place.password = 'wrong';
  const options = ['--engine', 'postgres', '--connect', place.href, '--table', 'logs'];
  expect(await runCaptured(['replay', ...options, POLICY])).toEqual({
    code: 3,
    output: '',
    errors: `tollgate: cannot reach PostgreSQL at ${place.host}: password authentication failed for user "ada"\n`,
  });
});

describe.each(ENGINES)('on $product', engine => {
  const { name, product, url, run, messages, numbers } = engine;
  const replayed = (table: string, ...options: readonly string[]) =>
    runCaptured(['replay', '--engine', name, '--connect', url!, '--table', table, ...options, POLICY]);
  const impacts = (table: string, ...options: readonly string[]) =>
    runCaptured(['impact', '--engine', name, '--connect', url!, '--table', table, ...options, POLICY, POLICY]);

  beforeAll(async () => {
    if (url !== undefined) for (const sql of engine.table) await run(sql);
  });

  it.skipIf(url === undefined).each([
    ['a table that does not exist', 'nothing', [], `${product} failed: ${messages.noTable}`],
    [
      'a table without the columns',
      'logs',
      [],
      'no column of `logs` holds a field of exchanges; found `remote`, `uri`, `code`; map fields to columns with `--mapping` or `--fields`',
    ],
    [
      'a mapping to a column that does not exist',
      'logs',
      ['--fields', 'client_ip=remote_addr'],
      '`logs` has no column `remote_addr` for the field `client_ip`; found `remote`, `uri`, `code`',
    ],
    [
      'a column of a type without meaning',
      `(select uri, ${engine.strange[0]} as agent from logs)`,
      ['--fields', 'user_agent=agent'],
      `column \`agent\` has the type \`${engine.strange[1]}\`, which holds no field of an exchange; map the field to an expression with a string, number or time`,
    ],
    [
      'a query that fails at a row',
      `(select uri, ${name === 'postgres' ? '1 / (code::int - 200)' : 'intDiv(1, toInt32(code) - 200)'} as status from logs)`,
      ['--fields', 'target=uri'],
      expect.stringContaining(`${product} failed: ${messages.division}`),
    ],
  ] as const)('says in one line what is wrong with %s, without a figure', async (_, table, options, message) => {
    const expected = { code: 3, output: '', errors: typeof message === 'string' ? `tollgate: ${message}\n` : message };
    const found = [await replayed(table, ...options), await impacts(table, ...options)];
    expect(found).toEqual([expected, expected]);
    for (const { errors } of found) expect(errors).toMatch(/^[^\n]+\n$/);
  });

  it.skipIf(url === undefined).each([
    ['(select uri as target from logs where 1 = 0)', 'it has no records'],
    ["(select nullif(code, '200') as target from logs)", 'all 100 records were skipped'],
  ])('says that there is no exchange in %s', async (table, why) => {
    const errors = `tollgate: no exchange in \`${table}\`: ${why}; use \`--allow-empty\` if that is expected\n`;
    expect(await replayed(table)).toEqual({ code: 1, errors, output: expect.stringContaining(' on 0 exchanges') });
    expect(await impacts(table)).toEqual({ code: 1, errors, output: '' });
    expect(await replayed(table, '--allow-empty')).toMatchObject({ code: 0, errors: '' });
  });

  it.skipIf(url === undefined)('reads values of other types as recordings do', async () => {
    const log = join(directory, 'values.jsonl');
    for (const [sql, records] of [
      [
        `select '/admin' as target, 'abc' as status union all select '/admin', '404' union all select '/admin', '"404"'`,
        ['abc', '404', '"404"'].map(status => ({ target: '/admin', status })),
      ],
      [`select ${engine.list} as target, '200' as status`, [{ target: ['/admin', '/'], status: '200' }]],
      [`select ${engine.json} as target, '-' as status`, [{ target: ['/admin'], status: '-' }]],
    ] as const) {
      writeFileSync(log, records.map(record => JSON.stringify(record)).join('\n'));
      const found = JSON.parse((await replayed(`(${sql})`, '-f', 'json')).output);
      const expected = JSON.parse((await runCaptured(['replay', '-f', 'json', POLICY, log])).output);
      for (const report of [found, expected])
        for (const { needs } of [...report.rules, report.undetermined]) for (const need of needs) delete need.example;
      expect([found.rules, found.undetermined]).toEqual([expected.rules, expected.undetermined]);
      expect(found.breakdown.statuses).toEqual(expected.breakdown.statuses);
    }
  });

  it.skipIf(url === undefined)('reads members of objects as recordings do', async () => {
    const log = join(directory, 'nested.jsonl');
    const times = ['2026-03-02T01:15:30Z', '2026-03-02T02:15:30Z', '2026-03-02T03:15:30Z'];
    writeFileSync(log, times.map(at => `{"http":{"at":"${at}","uri":"/admin"}}`).join('\n'));
    const table = `(${times.map(at => `select ${engine.object(at)} as http`).join(' union all ')})`;
    const options = ['--fields', 'time=http.at,target=http.uri', '-f', 'json'];
    for (const more of [[], ['--since', '2026-03-02T02:00:00Z']]) {
      const { output } = await replayed(table, ...options, ...more);
      const expected = await runCaptured(['replay', ...options, ...more, POLICY, log]);
      const [found, own] = [output, expected.output].map(text => JSON.parse(text));
      expect([found.rules, found.breakdown.time]).toEqual([own.rules, own.breakdown.time]);
    }
  });

  it.skipIf(url === undefined)('takes a status in quotes for one that is not known', async () => {
    const table = `(select '/' as target, '"404"' as status, ${engine.headers} as request_headers)`;
    const args = ['replay', '-f', 'json', '--engine', name, '--connect', url!, '--table', table, HEADER_POLICY];
    const [rule] = JSON.parse((await runCaptured(args)).output).rules;
    expect(rule).toMatchObject({ matched: 0, undetermined: 1 });
  });

  it.skipIf(url === undefined)('leaves records of nulls out, and counts them', async () => {
    const table = `(select case when n > 2 then '/' end as target from ${numbers(10)})`;
    const { code, output, errors } = await replayed(table);
    expect([code, errors]).toEqual([0, '']);
    expect(output).toContain('skipped 2: no known field\n');
  });

  it('says in one line that the server is down', async () => {
    const place = `${name === 'postgres' ? 'postgres://nobody@' : 'http://'}127.0.0.1:2/`;
    const options = ['--engine', name, '--connect', place, '--table', 'logs'];
    const expected = { code: 3, output: '', errors: `tollgate: ${messages.down}\n` };
    expect(await runCaptured(['replay', ...options, POLICY])).toEqual(expected);
    expect(await runCaptured(['impact', ...options, POLICY, POLICY])).toEqual(expected);
  });

  it.skipIf(url === undefined)('says in one line that there is no room for temporary files', async () => {
    const letters = name === 'postgres' ? `n || repeat('a', 20)` : `concat(toString(n), repeat('a', 20))`;
    const table = `(select concat('/', ${letters}) as target from ${numbers(100_000)})`;
    const options = ['--engine', name, '--connect', engine.small, '--table', table];
    const { code, output, errors } = await runCaptured(['replay', ...options, POLICY]);
    expect([code, output]).toEqual([3, '']);
    expect(errors).toMatch(/^tollgate: [^\n]+\n$/);
    expect(errors).toContain(`${product} failed: ${messages.full}`);
  });

  /** Starts a command with a query that takes longer than any test, and returns when the engine runs it. */
  async function started(command: readonly string[]) {
    const options = ['--engine', name, '--connect', url!, '--table', engine.slow, '--fields', 'target=uri'];
    const args = [await installedCommand(), ...command, ...options];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let [output, errors] = ['', ''];
    child.stdout.on('data', data => (output += data));
    child.stderr.on('data', data => (errors += data));
    const ended = once(child, 'close').then(([status]) => ({ status, output, errors }));
    await eventually(async () => child.exitCode !== null || (await run(engine.running)).length > 0);
    return { child, ended };
  }

  const COMMANDS = [
    ['replay', POLICY],
    ['impact', POLICY, POLICY],
  ];

  it.skipIf(url === undefined).each(COMMANDS)(
    'cancels the query of `%s` on the server after Ctrl-C',
    async (...command) => {
      const { child, ended } = await started(command);
      child.kill('SIGINT');
      expect(await ended).toEqual({
        status: 130,
        output: '',
        errors: 'tollgate: interrupted; the query on the engine was canceled, and nothing is reported\n',
      });
      await eventually(async () => (await run(engine.running)).length === 0);
    },
  );

  // The stand-in for ClickHouse does not watch its connections.
  it.skipIf(url === undefined || name === 'clickhouse')('ends the query of a command that was killed', async () => {
    const { child, ended } = await started(['replay', POLICY]);
    child.kill('SIGKILL');
    await ended;
    await eventually(async () => (await run(engine.running)).length === 0);
  });

  it.skipIf(url === undefined).each(COMMANDS)(
    'says in one line that the query of `%s` was killed, without a figure',
    async (...command) => {
      const { child, ended } = await started(command);
      // The first query may have ended by itself just before it was killed.
      await eventually(async () => {
        await run(engine.kill);
        return child.exitCode !== null;
      });
      expect(await ended).toEqual({
        status: 3,
        output: '',
        errors: expect.stringMatching(new RegExp(`^tollgate: ${product} failed: ${messages.killed}\n$`)),
      });
    },
  );
});

describe.skipIf(postgres === undefined)('a session on PostgreSQL', () => {
  it('goes on after a query that was not read to its end', async () => {
    const session = await openPostgres(database);
    try {
      for await (const _ of session.batches('select * from generate_series(1, 20001)')) break;
      const rows: (readonly (string | null)[])[] = [];
      for await (const batch of session.batches('select 1')) rows.push(...batch);
      expect(rows).toEqual([['1']]);
    } finally {
      await session.close();
    }
  });
});
