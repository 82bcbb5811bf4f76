import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCaptured } from '../../packages/cli/src/run-captured.ts';
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
    expect(output.slice(output.indexOf(':') + 2)).toBe(`100 of 100 exchanges change (100 %), decided by PostgreSQL

  traffic  exchanges  skipped
  logs           100        ·

  passed → denied with 403  75 exchanges, 1 client
    rules      no rule → inbound 1 (75)
    prefixes   / (75)
    paths      / (75)
    clients    192.0.2.1 (75)
    examples   192.0.2.1 /

  denied with 403 → passed  25 exchanges, 1 client
    rules      inbound 1 (no admin) → no rule (25)
    prefixes   /admin/ (25)
    paths      /admin/100 (1), 25 in total
    clients    192.0.2.1 (25)
    examples   192.0.2.1 /admin/100
               192.0.2.1 /admin/20
               192.0.2.1 /admin/28
               192.0.2.1 /admin/40
               192.0.2.1 /admin/44

  was              becomes          exchanges        clients
  passed           denied with 403         75  75 %        1
  denied with 403  passed                  25  25 %        1
  newly denied: 75 (75 %)

  kept  --max-newly-denied 80%: 75 of 100 exchanges (75 %) are newly denied
`);
  });

  it('shows rows that change in all formats', async () => {
    const read = async (format: string) => (await impact('--format', format)).output;
    const { transitions } = JSON.parse(await read('json'));
    expect(transitions.map((one: { examples: unknown }) => one.examples)).toEqual([
      [{ client: '192.0.2.1', path: '/' }],
      ['100', '20', '28', '40', '44'].map(number => ({ client: '192.0.2.1', path: `/admin/${number}` })),
    ]);
    expect(await read('markdown')).toContain(
      '| examples | <code>192.0.2.1 /admin/100</code><br><code>192.0.2.1 /admin/20</code><br>',
    );
    expect(await read('html')).toContain('<li><code>192.0.2.1 /admin/44</code></li>');
  });

  it('reports the exchanges for which a condition on the decision holds', async () => {
    const fields = ['--fields', 'client_ip=remote,target=uri', '--format', 'json'];
    const where = ['--where', "decision.status == 403 && req.Path.endsWith('0')"];
    const { code, output, errors } = await replayed('logs', ...fields, ...where);
    expect([code, errors]).toEqual([0, '']);
    const report = JSON.parse(output);
    expect([report.exchanges, report.selection, report.rules[0].matched]).toEqual([
      100,
      { selected: 5, unknown: 0 },
      5,
    ]);
    expect(report.breakdown.rules[0].keys.paths.distinct).toBe(5);
  });

  describe('with counts of days that are kept', () => {
    const state = join(directory, 'days.json');
    const DAYS = `(select uri, at - interval '6 years' + (extract(minute from at)::integer || ' days')::interval as time, remote as client_ip from logs)`;
    const counted = (table: string, ...options: readonly string[]) =>
      replayed(table, '--fields', 'target=uri', '--top', '0', '--format', 'json', ...options);
    const withState = (table: string, ...options: readonly string[]) => counted(table, '--state', state, ...options);
    const parts = (output: string) => {
      const { days, ...others } = JSON.parse(output);
      return [days, others];
    };

    it('reports the same figures, and which days were counted', async () => {
      const { output: expected } = await counted(DAYS);
      const first = await withState(DAYS);
      expect([first.code, first.errors]).toEqual([0, '']);
      const [, figures] = parts(expected);
      expect(parts(first.output)).toEqual([{ kept: [], counted: ['2020-11-21', '2020-11-22'] }, figures]);
      const again = await withState(DAYS);
      expect(parts(again.output)).toEqual([{ kept: ['2020-11-21', '2020-11-22'], counted: [] }, figures]);
      const text = await replayed(DAYS, '--fields', 'target=uri', '--top', '0', '--state', state);
      expect(text.output).toContain('counts of 2 days were kept (2020-11-21 to 2020-11-22), and 0 days were counted');
    });

    it('counts days anew whose number of rows is another one', async () => {
      const later = DAYS.replace(
        'from logs',
        `from (select * from logs union all select at, remote, verb, '/late', code, null from logs where uri = '/admin/100') logs`,
      );
      const { output: expected } = await counted(later);
      // Another table has another state.
      const refused = await withState(later);
      expect([refused.code, refused.errors]).toEqual([
        2,
        expect.stringContaining(`\`${state}\` has counts of another table; name another file with \`--state\``),
      ]);
      await query('create view moving as select * from logs');
      const other = join(directory, 'moving.json');
      const moving = DAYS.replace('from logs', 'from moving');
      await counted(moving, '--state', other);
      await query(`create or replace view moving as select * from logs union all
        select at, remote, verb, '/late', code, null from logs where uri = '/admin/100'`);
      const { output } = await counted(moving, '--state', other);
      const [days, { files: _, ...figures }] = parts(output);
      const [, { files: __, ...others }] = parts(expected);
      expect(figures).toEqual(others);
      expect(days).toEqual({ kept: ['2020-11-21'], counted: ['2020-11-22'] });
    });

    it('refuses a state of another policy, and one that was changed', async () => {
      const other = join(directory, 'other.yaml');
      writeFileSync(other, 'inbound: []\n');
      const options = ['--table', DAYS, '--fields', 'target=uri', '--top', '0', '--state', state, other];
      const { code, errors } = await runCaptured(['replay', '--engine', 'postgres', '--connect', url, ...options]);
      expect([code, errors]).toEqual([
        2,
        expect.stringContaining(`\`${state}\` has counts of another policy; name another`),
      ]);
      const broken = join(directory, 'broken.json');
      writeFileSync(broken, readFileSync(state, 'utf8').replace('"times":', '"times":1'));
      const changed = await counted(DAYS, '--state', broken);
      expect([changed.code, changed.errors]).toEqual([
        3,
        `tollgate: \`${broken}\` is not a state that \`--state\` has written, or it was changed; delete it to count all days again\n`,
      ]);
    });
  });

  it('says how to draw a sample of what a condition selects', async () => {
    expect(await replayed('logs', '--where', 'decision.status == 403', '--sample', '10')).toEqual({
      ...{ code: 3, output: '' },
      errors:
        'tollgate: cannot replay on a table: a number of rows is drawn before `--where` selects some; sample a share such as `1%`\n',
    });
  });

  it('writes the tests that traffic in a file leads to', async () => {
    const file = join(directory, 'traffic.jsonl');
    // A table has no order, so of each path, the row whose values come first is stated.
    const rows = await query(`select host(remote) as client_ip, verb as method, uri as target, code as status from logs
      order by uri collate "C"`);
    writeFileSync(file, rows.map(row => JSON.stringify(row)).join('\n'));
    const origin = ['--origin', 'https://a.example'];
    const fields = ['--fields', 'client_ip=remote,method=verb,target=uri,status=code'];
    const place = ['--engine', 'postgres', '--connect', url, '--table', 'logs'];
    const found = await runCaptured(['record', ...origin, ...place, ...fields, POLICY]);
    const expected = await runCaptured(['record', ...origin, POLICY, file]);
    const tests = (output: string) =>
      output
        .trimEnd()
        .split(/\n+ *- name: /)
        .sort();
    expect({ ...found, output: tests(found.output) }).toEqual({ ...expected, output: tests(expected.output) });
    expect([found.code, found.output]).toEqual([0, expect.stringContaining('/admin/100 is denied with 403')]);
  });

  describe('a snapshot', () => {
    const snapshot = join(directory, 'rows.snapshot');
    const taken = (table: string, ...options: readonly string[]) => {
      const place = ['--engine', 'postgres', '--connect', url, '--table', table];
      const fields = ['--fields', 'client_ip=remote,method=verb,target=uri,status=code,time=at'];
      return runCaptured(['snapshot', ...place, ...fields, '--file', snapshot, ...options]);
    };

    it('keeps the decisions on rows, and shows those that change', async () => {
      const { code, output } = await taken('logs', '--update', POLICY);
      expect([code, output]).toEqual([0, `${snapshot}: 100 decisions written\n`]);
      const lines = readFileSync(snapshot, 'utf8').split('\n').slice(1, -1);
      expect(lines[0]).toMatch(/^GET \/ {2}row [\da-f]{16}\tpassed\toutcome:[\da-f]{8}/);
      // As on the same traffic in a file.
      const file = join(directory, 'rows.jsonl');
      const rows = await query(
        'select host(remote) client_ip, verb method, uri target, code status, at as time from logs',
      );
      writeFileSync(file, rows.map(row => JSON.stringify(row)).join('\n'));
      const other = join(directory, 'file.snapshot');
      await runCaptured(['snapshot', '--file', other, '--update', POLICY, file]);
      const decisions = (text: string) =>
        text
          .split('\n')
          .slice(1, -1)
          .map(line => line.split('\t').slice(1));
      expect(decisions(readFileSync(snapshot, 'utf8')).sort()).toEqual(decisions(readFileSync(other, 'utf8')).sort());
      expect((await taken('(select * from logs order by random())', POLICY)).output).toBe(
        `${snapshot}: 100 decisions unchanged\n`,
      );
      const none = join(directory, 'none.yaml');
      writeFileSync(none, 'inbound: []\n');
      const changed = await taken('logs', none);
      expect(changed.code).toBe(1);
      expect(changed.output).toContain(
        '25 of 100 decisions changed; accept with `--update`\n\n  was  denied with 403; inbound 1 (no admin)\n  now  passed\n       GET /admin/100  row ',
      );
    });

    it('takes equal rows for one, and names rows that are gone', async () => {
      const twice = '(select * from logs union all select * from logs)';
      expect((await taken(twice, POLICY)).output).toBe(`${snapshot}: 100 decisions unchanged\n`);
      await taken(twice, '--update', POLICY);
      expect(readFileSync(snapshot, 'utf8')).toContain('\tpassed; 2 rows\t');
      const { code, output } = await taken("(select * from logs where uri <> '/admin/8')", POLICY);
      expect([code, output]).toEqual([
        1,
        expect.stringMatching(/now {2}not in the traffic\n {7}GET \/admin\/8 {2}row /),
      ]);
    });

    it('says what to do about too many rows, and about decisions that depend on their order', async () => {
      const many = "(select '/' || n as uri, remote, verb, code, at from logs, generate_series(1, 1001) n)";
      expect(await taken(many, POLICY)).toEqual({
        ...{ code: 3, output: '' },
        errors:
          'tollgate: cannot replay on a table: it has over 100,000 different rows; choose some with a query in parentheses, such as those of an hour, or compare policies with `impact`\n',
      });
      const limited = join(directory, 'limited.yaml');
      writeFileSync(
        limited,
        'inbound: [{ actions: [{ type: rate-limit, config: { name: a, algorithm: sliding_window, capacity: 10, rate: 60s, bucket_key: [conn.ClientIP] } }] }]\n',
      );
      const { code, errors } = await taken('logs', limited);
      expect([code, errors]).toEqual([3, expect.stringContaining('`rate-limit` keeps state across exchanges')]);
    });
  });

  it('refuses a guard on a table', async () => {
    expect(await impact('--never-touch', 'true')).toEqual({
      code: 3,
      output: '',
      errors:
        'tollgate: cannot replay on a table: `--never-touch` reads every exchange that changes with its decisions; replay exported records instead\n',
    });
  });
});

it.each([
  [
    ['--engine', 'postgres', 'POLICY'],
    'use `--table` together with `--engine postgres`, `clickhouse`, `trino`, `spark` or `athena`',
  ],
  [
    ['--table', 'x', 'POLICY'],
    'use `--table` together with `--engine postgres`, `clickhouse`, `trino`, `spark` or `athena`',
  ],
  [['--engine', 'postgres', '--table', 'x', 'POLICY', 'y.log'], '`--table` replaces recordings and `--edge`'],
])('refuses options that do not fit together: %s', async (options, message) => {
  const { code, errors } = await runCaptured(['replay', ...options.map(one => (one === 'POLICY' ? POLICY : one))]);
  expect([code, errors]).toEqual([2, expect.stringContaining(message)]);
});
