import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCaptured } from '../../packages/cli/src/run-captured.ts';
import { clickhouseForTests } from '../support/clickhouse.ts';
import { type ConnectedEngine, sparkForTests, trinoForTests } from '../support/cluster-engines.ts';
import { eventually } from '../support/eventually.ts';
import { installedCommand } from '../support/installed-command.ts';
import { postgresForTests } from '../support/postgres.ts';

const directory = mkdtempSync(join(tmpdir(), 'tollgate-written-tables-'));
const [postgres, clickhouse] = [await postgresForTests(), await clickhouseForTests()];
const [trino, spark] = [await trinoForTests(), await sparkForTests()];
const url = (await postgres?.newDatabase()) ?? '';

afterAll(async () => {
  rmSync(directory, { recursive: true });
  postgres?.stop();
  clickhouse?.stop();
  await trino?.stop();
  await spark?.stop();
});

/** Denies the first third, may deny the next, because of a header that is not recorded, and adds a header to the rest. */
const POLICIES = [
  'inbound: []\n',
  `inbound:
  - name: no admin
    expressions: ["req.Path.startsWith('/admin')"]
    actions: [{ type: deny, config: { status_code: 403 } }]
  - expressions: ["req.Path.startsWith('/perhaps')", "getReqHeader('X-A')[0] == 'a'"]
    actions: [{ type: deny, config: { status_code: 404 } }]
  - expressions: ["req.Path.startsWith('/rest')"]
    actions: [{ type: add-headers, config: { headers: { X-New: 'yes' } } }]
`,
].map((text, at) => {
  const path = join(directory, `policy${at}.yaml`);
  writeFileSync(path, text);
  return path;
});

async function query(sql: string): Promise<readonly (readonly unknown[])[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

const rowsOf = (answer: string) => answer.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line)]));

interface Engine {
  readonly engine: string;
  readonly url: string;
  readonly run: (sql: string) => Promise<readonly (readonly unknown[])[]>;
  readonly tables: () => Promise<readonly unknown[]>;
  readonly path: (number: string) => string;
  readonly numbers: string;
  readonly make: (query: string) => string;
  /** A query in parentheses that takes longer than any test. */
  readonly slow?: string;
}

const CLICKHOUSE: Engine | undefined = clickhouse && {
  engine: 'clickhouse',
  url: clickhouse.url,
  run: async sql => rowsOf(await clickhouse.run(sql.startsWith('select') ? `${sql} format JSONCompactEachRow` : sql)),
  tables: async () =>
    rowsOf(
      await clickhouse.run(
        'select name from system.tables where database = currentDatabase() order by name format JSONCompactEachRow',
      ),
    ).flat(),
  path: number =>
    `if(${number} % 4 = 0, '/admin/', if(${number} % 4 = 1, '/perhaps/', if(${number} % 4 = 2, '/rest/', '/')))`,
  numbers: 'numbers(40)',
  make: select => `create table logs engine = Memory as ${select}`,
  slow: `(select '/' as uri from numbers(1000000) where sleepEachRow(0.01) = 0 settings max_block_size = 100)`,
};

const POSTGRES: Engine | undefined = postgres && {
  engine: 'postgres',
  url,
  run: query,
  tables: async () =>
    (await query(`select tablename from pg_tables where schemaname = 'public' order by tablename`)).flat(),
  path: number => caseOf(number),
  numbers: 'generate_series(0, 39) as given(number)',
  make: select => `create table logs as ${select}`,
};

function caseOf(number: string): string {
  return `case ${number} % 4 when 0 then '/admin/' when 1 then '/perhaps/' when 2 then '/rest/' else '/' end`;
}

function cluster(engine: string, connected: ConnectedEngine | undefined): Engine | undefined {
  return (
    connected && {
      ...{ engine, url: connected.url, run: connected.run, path: caseOf },
      tables: async () =>
        (await connected.run('show tables')).map(row => row.find(one => /logs|changed/.test(one ?? ''))),
      numbers: engine === 'trino' ? 'unnest(sequence(0, 39)) as given(number)' : 'range(40) as given(number)',
      make: select => `create table logs ${engine === 'spark' ? 'using parquet ' : ''}as ${select}`,
      slow:
        engine === 'spark'
          ? '(select cast(id as string) as uri from range(100000000000))'
          : '(select cast(a as varchar) as uri from unnest(sequence(1, 10000)) as x(a) cross join unnest(sequence(1, 10000)) as y(b) cross join unnest(sequence(1, 10000)) as z(c))',
    }
  );
}

const ENGINES: readonly (readonly [string, Engine | undefined])[] = [
  ['PostgreSQL', POSTGRES],
  ['ClickHouse', CLICKHOUSE],
  ['Trino', cluster('trino', trino)],
  ['Spark', cluster('spark', spark)],
];

function impact(engine: Engine, ...options: readonly string[]) {
  const place = ['--engine', engine.engine, '--connect', engine.url];
  const table = options.includes('--table') ? [] : ['--table', 'logs'];
  return runCaptured(['impact', ...place, ...table, '--fields', 'target=uri', ...options, ...POLICIES]);
}

describe.each(ENGINES)('rows that change, on %s', (_, engine) => {
  beforeAll(async () => {
    const { run, path, numbers, make } = engine!;
    // A run that was killed leaves some in schemas that outlast it.
    for (const table of await engine!.tables())
      if (/^(?:logs|changed)/.test(String(table))) await run(`drop table ${table}`);
    await run(
      make(
        `select number as "Nr", concat(${path('number')}, cast(number as ${engine!.engine === 'clickhouse' ? 'String' : engine!.engine === 'spark' ? 'string' : 'varchar'})) as uri from ${numbers}`.replaceAll(
          '"',
          engine!.engine === 'spark' ? '`' : '"',
        ),
      ),
    );
  });
  afterEach(async () => {
    await engine?.run('drop table if exists changed');
  });
  const name = engine?.engine === 'spark' ? '`Nr`' : engine?.engine === 'trino' ? 'nr' : '"Nr"';
  const columns = `${name}, uri, was_outcome, was_status, was_rule, becomes_outcome, becomes_status, becomes_action, becomes_rule, change_parts, change_is_certain`;
  const changed = async () => {
    const rows = await engine!.run(`select ${columns} from changed order by ${name}, uri`);
    return rows.map(row =>
      row.map((value, at) =>
        [0, 3, 6].includes(at) && value !== null ? Number(value) : at === 10 ? String(value) : value,
      ),
    );
  };
  /** In the first of four rows, and so on. */
  const EXPECTED = [
    ['passed', null, null, 'denied', 403, 'deny', 'inbound 1', 'outcome', 'true'],
    ['passed', null, null, 'denied or passed', null, null, null, 'outcome', 'false'],
    ['passed', null, null, 'passed', null, null, 'inbound 3', 'request-headers', 'true'],
  ];
  const EXPECTED_ROWS = Array.from({ length: 40 }, (_, number) => number).flatMap(number => {
    const path = ['/admin/', '/perhaps/', '/rest/'][number % 4];
    return path === undefined ? [] : [[number, `${path}${number}`, ...EXPECTED[number % 4]!]];
  });

  it.skipIf(engine === undefined)('are written with all their columns and both decisions', async () => {
    const { code, output, errors } = await impact(engine!, '--into', 'changed', '--format', 'json');
    expect([code, errors]).toEqual([0, 'tollgate: 30 rows written to `changed`\n']);
    expect(JSON.parse(output).written).toEqual({ table: 'changed', rows: 30, dropped: [] });
    expect(await changed()).toEqual(EXPECTED_ROWS);
    expect(await engine!.tables()).toEqual(['changed', 'logs']);
  });

  it.skipIf(engine === undefined)('never replace a table, and are added to one only if that is asked for', async () => {
    const before = await impact(engine!, '--into', 'changed', '--append');
    expect(before).toEqual({
      ...{ code: 3, output: '' },
      errors: 'tollgate: cannot write to `changed`: it does not exist; leave out `--append`\n',
    });
    await impact(engine!, '--into', 'changed');
    const again = await impact(engine!, '--into', 'changed');
    expect(again).toEqual({
      ...{ code: 3, output: '' },
      errors: 'tollgate: cannot write to `changed`: it exists; add rows with `--append`, or name another table\n',
    });
    expect((await impact(engine!, '--into', 'changed', '--append')).code).toBe(0);
    expect(await changed()).toEqual(EXPECTED_ROWS.flatMap(row => [row, row]));
    expect(await engine!.tables()).toEqual(['changed', 'logs']);
  });

  it.skipIf(engine === undefined)('make an empty table if nothing changes', async () => {
    const place = ['--engine', engine!.engine, '--connect', engine!.url, '--table', 'logs', '--fields', 'target=uri'];
    const { code, errors } = await runCaptured(['impact', ...place, '--into', 'changed', POLICIES[1]!, POLICIES[1]!]);
    expect([code, errors]).toEqual([0, 'tollgate: 0 rows written to `changed`\n']);
    expect(await changed()).toEqual([]);
  });

  it.skipIf(engine === undefined || engine === POSTGRES)(
    'replace what a command that was killed had left a day before, and nothing else',
    async () => {
      const { run, make, tables, slow } = engine!;
      const args = ['--engine', engine!.engine, '--connect', engine!.url, '--table', slow!, '--fields', 'target=uri'];
      const child = spawn(process.execPath, [
        ...[await installedCommand(), 'impact', ...args, '--into', 'changed', ...POLICIES],
      ]);
      await eventually(async () => child.exitCode !== null || (await tables()).length > 1);
      child.kill('SIGKILL');
      await once(child, 'close');
      const [left] = await tables();
      expect(left).toMatch(/^changed_tollgate_[0-9]{14}_[0-9a-f]{8}$/);
      const others = ['changed_tollgate_x', 'logs_tollgate_20201031000000_1a2b3c4d', 'changed_20201031000000_1a2b3c4d'];
      for (const other of others) await run(make('select 1 as n').replace('table logs', `table ${other}`));
      expect((await impact(engine!, '--into', 'changed')).errors).toBe('tollgate: 30 rows written to `changed`\n');
      expect([...(await tables())].sort()).toEqual(['changed', left, 'logs', ...others].sort());
      await run('drop table changed');
      vi.useFakeTimers({ toFake: ['Date'], now: new Date('2100-01-01T00:00:00Z') });
      const { errors } = await impact(engine!, '--into', 'changed').finally(() => vi.useRealTimers());
      expect(errors).toBe(
        `tollgate: 30 rows written to \`changed\`\ntollgate: dropped \`${left}\`, which a command that was killed had left\n`,
      );
      expect([...(await tables())].sort()).toEqual(['changed', 'logs', ...others].sort());
      for (const other of others) await run(`drop table ${other}`);
    },
  );

  it.skipIf(engine === undefined)('are refused where their names are taken, and nothing is left', async () => {
    const table = "(select uri, 'x' as was_rule from logs)";
    const { code, errors } = await impact(engine!, '--table', table, '--into', 'changed');
    expect([code, errors]).toEqual([
      3,
      'tollgate: cannot write to `changed`: the traffic has a column `was_rule`, which results need; rename it in a query\n',
    ]);
    expect(await engine!.tables()).toEqual(['logs']);
  });
});

it.skipIf(postgres === undefined)('says that a user of PostgreSQL may only read', async () => {
  await query(`create role reader login; grant select on logs to reader`);
  const place = new URL(url);
  place.username = 'reader';
  const { code, output, errors } = await impact({ ...POSTGRES!, url: place.href }, '--into', 'changed');
  expect([code, output, errors]).toEqual([
    3,
    '',
    'tollgate: cannot write to `changed`: PostgreSQL failed: permission denied for schema public\n',
  ]);
});

it.skipIf(postgres === undefined)('leaves nothing on PostgreSQL when it is interrupted', async () => {
  const table = '(select uri, pg_sleep(0.05)::text as method from logs)';
  const running = impact(POSTGRES!, '--table', table, '--into', 'changed');
  await eventually(async () => {
    const [[found] = []] = await query(
      `select count(*) from pg_stat_activity where application_name = 'tollgate' and state = 'active'`,
    );
    return Number(found) === 1;
  });
  process.emit('SIGINT');
  expect((await running).code).toBe(130);
  expect(await POSTGRES!.tables()).toEqual(['logs']);
});

describe.skipIf(clickhouse === undefined)('a run on ClickHouse that writes', () => {
  let [fault, count]: [number, number] = [0, 0];
  let kind: 'fails' | 'is interrupted' | 'sees other rows' = 'fails';
  const proxy = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const at = ++count;
    if (kind === 'is interrupted' && at === fault) process.emit('SIGINT');
    const isFailing = kind === 'fails' && at === fault;
    if (kind === 'sees other rows' && at >= fault) body = body.replaceAll('from logs', 'from later');
    const answer = isFailing
      ? undefined
      : await fetch(new URL(request.url!, clickhouse!.url), { method: 'POST', body });
    response.writeHead(answer?.status ?? 500);
    response.end((await answer?.text()) ?? 'Code: 1. DB::Exception: on purpose (version 1)');
  });
  beforeAll(async () => {
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    await clickhouse!.run('create table later engine = Memory as select * from logs where "Nr" % 3 > 0');
  });
  afterAll(() => proxy.close());
  const run = async (...[how, at]: [typeof kind, number]) => {
    [kind, fault, count] = [how, at, 0];
    const place = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/`;
    return impact({ ...CLICKHOUSE!, url: place }, '--into', 'changed');
  };

  it.each(['fails', 'is interrupted', 'sees other rows'] as const)(
    'leaves nothing, whichever of its queries %s',
    async how => {
      const never = await run(how, Number.POSITIVE_INFINITY);
      const queries = count;
      expect([never.code, await CLICKHOUSE!.tables()]).toEqual([0, ['changed', 'later', 'logs']]);
      await clickhouse!.run('drop table changed');
      let failed = 0;
      for (let at = 1; at <= queries; at++) {
        const { code } = await run(how, at);
        if (code !== 0) failed++;
        expect([code, at, (await CLICKHOUSE!.tables()).includes('changed')]).toEqual([code, at, code === 0]);
        await clickhouse!.run('drop table if exists changed');
        expect(await CLICKHOUSE!.tables()).toEqual(['later', 'logs']);
      }
      expect(failed).toBeGreaterThan(how === 'sees other rows' ? 1 : queries / 2);
    },
  );
});
