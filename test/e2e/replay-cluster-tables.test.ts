import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runCaptured } from '../../packages/cli/src/run-captured.ts';
import { type ConnectedEngine, sparkForTests, trinoForTests } from '../support/cluster-engines.ts';
import { eventually } from '../support/eventually.ts';
import { installedCommand } from '../support/installed-command.ts';

const directory = mkdtempSync(join(tmpdir(), 'tollgate-cluster-tables-'));
const [trino, spark] = [await trinoForTests(), await sparkForTests()];

afterAll(async () => {
  rmSync(directory, { recursive: true });
  await trino?.stop();
  await spark?.stop();
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

interface Cluster {
  readonly name: 'trino' | 'spark';
  readonly product: string;
  readonly engine: ConnectedEngine | undefined;
  /** Undefined where the test cannot see them. */
  readonly queries: Queries | undefined;
  /** A query in parentheses with a hundred rows, a quarter of which are denied. */
  readonly rows: string;
  /** One that takes longer than any test. */
  readonly slow: string;
  readonly messages: {
    readonly noTable: string;
    readonly division: string;
    readonly killed: (id: string) => string;
  };
}

const rowsFrom = (numbers: string) =>
  `(select '192.0.2.1' as remote, case when n % 4 = 0 then '/admin/' else '/' end as uri, 200 as code, cast('a' as varbinary) as agent from ${numbers})`;

const { TOLLGATE_TEST_SPARK_UI: sparkUi } = process.env;

const CLUSTERS: readonly Cluster[] = [
  {
    ...{ name: 'trino', product: 'Trino', engine: trino },
    queries: trino && trinoQueries(trino),
    rows: rowsFrom('unnest(sequence(1, 100)) as numbers(n)'),
    slow: `(select cast(a as varchar) as uri from unnest(sequence(1, 10000)) as x(a) cross join unnest(sequence(1, 10000)) as y(b) cross join unnest(sequence(1, 10000)) as z(c))`,
    messages: {
      noTable: "line 1:30: Table 'memory.default.nothing' does not exist",
      division: 'Division by zero',
      killed: () => 'Query killed. Message: enough',
    },
  },
  {
    ...{ name: 'spark', product: 'Spark', engine: spark },
    queries: spark && sparkUi !== undefined ? sparkQueries(sparkUi) : undefined,
    rows: rowsFrom('(select id as n from range(1, 101))').replace('varbinary', 'binary'),
    slow: `(select cast(id as string) as uri from range(100000000000))`,
    messages: {
      noTable:
        'The table or view `nothing` cannot be found. Verify the spelling and correctness of the schema and catalog.',
      division: expect.stringContaining('Division by zero.'),
      killed: id => `Job ${id} cancelled killed via Web UI SQLSTATE: XXKDA`,
    },
  },
];

it.skipIf(spark === undefined)('counts strings on Spark that are not UTF-8 as what is read of them', async () => {
  const mangled = ['62ff6f74', '62fe6f74'].map(bytes => `cast(unhex('${bytes}') as string)`);
  const strings = [...mangled, "'bot'", "'x'", "'y'", "'z'"];
  const cases = strings.map((one, at) => `when id % 6 = ${at} then ${one}`).join(' ');
  const table = `(select case ${cases} end as user_agent, case when id % 8 < 4 then cast('-0.0' as double) else 2e2 end as status from range(120))`;
  const policy = join(directory, 'mangled.json');
  const inbound = [" == 'bot'", ".startsWith('b')"].map(test => ({
    expressions: [`req.Headers['User-Agent'][0]${test}`],
    actions: [{ type: 'log', config: { metadata: { seen: 'yes' } } }],
  }));
  writeFileSync(policy, JSON.stringify({ inbound }));
  const replay = ['replay', '--engine', 'spark', '--connect', spark!.url, '--table', table, '-f', 'json', policy];
  const { code, output } = await runCaptured(replay);
  const { exchanges, rules } = JSON.parse(output);
  expect([code, exchanges, rules.map((rule: { readonly matched: number }) => rule.matched)]).toEqual([
    0,
    120,
    [20, 60],
  ]);
});

// As for a task whose executors die.
it.skipIf(spark === undefined)('says in one line that Spark gave up a task', async () => {
  const table = `(select reflect('java.lang.Integer', 'parseInt', concat('x', id)) as uri from range(3))`;
  const options = ['--engine', 'spark', '--connect', spark!.url, '--table', table, '--fields', 'path=uri'];
  const { code, output, errors } = await runCaptured(['replay', ...options, POLICY]);
  expect([code, output]).toEqual([3, '']);
  expect(errors).toMatch(/^tollgate: Spark failed: Job aborted due to stage failure: Task [^\n]+\n$/);
});

describe.each(CLUSTERS.map(one => [one.product, one] as const))('a replay on a table of %s', (product, cluster) => {
  const { name, engine, queries, rows, slow, messages } = cluster;
  const url = engine?.url ?? '';
  const args = (table: string, ...options: readonly string[]) => [
    ...['replay', '--engine', name, '--connect', url, '--table', table, ...options, POLICY],
  ];
  const replayed = (table: string, ...options: readonly string[]) => runCaptured(args(table, ...options));

  it.skipIf(engine === undefined)('reports what happens to the traffic', async () => {
    const { code, output } = await replayed(rows, '--fields', 'client_ip=remote,target=uri,status=code', '-f', 'json');
    const report = JSON.parse(output);
    expect([code, report.engine, report.exchanges, report.rules[0].matched]).toEqual([0, { name }, 100, 25]);
    expect(report.breakdown.rules[0].keys.clients.top).toEqual([{ text: '192.0.2.1', count: { least: 25, most: 25 } }]);
  });

  it.skipIf(engine === undefined).each([
    ['a table that does not exist', 'nothing', [], `${product} failed: ${messages.noTable}`],
    [
      'a table without the columns',
      rows,
      [],
      `no column of \`${rows}\` holds a field of exchanges; found \`remote\`, \`uri\`, \`code\`, \`agent\`; map fields to columns with \`--mapping\` or \`--fields\``,
    ],
    [
      'a column of a wrong type',
      rows,
      ['--fields', 'user_agent=agent'],
      `column \`agent\` has the type \`${name === 'spark' ? 'binary' : 'varbinary'}\`, which holds no field of an exchange; map the field to an expression with a string, number or time`,
    ],
  ])('says in one line what is wrong with %s, without a figure', async (_, table, options, message) => {
    expect(await replayed(table, ...options)).toEqual({ code: 3, output: '', errors: `tollgate: ${message}\n` });
  });

  it.skipIf(engine === undefined)('says in one line that a query fails at a row', async () => {
    const table = rows.replace('200 as code', '1 / (n - 50) as status');
    const { code, output, errors } = await replayed(table, '--fields', 'target=uri');
    expect([code, output, errors.split('\n').length]).toEqual([3, '', 2]);
    expect(errors).toContain(`tollgate: ${product} failed: Division by zero`);
  });

  it('says in one line that the engine is down', async () => {
    const place = `${name === 'spark' ? 'spark' : 'http'}://127.0.0.1:2/`;
    expect(await runCaptured(['replay', '--engine', name, '--connect', place, '--table', 'x', POLICY])).toEqual({
      ...{ code: 3, output: '' },
      errors: `tollgate: cannot reach ${product} at 127.0.0.1:2: connect ECONNREFUSED 127.0.0.1:2\n`,
    });
  });

  /** Starts a replay of a query that takes longer than any test, and waits until the engine runs it. */
  async function started(place = url) {
    const before = await queries!.running();
    const child = spawn(process.execPath, [
      await installedCommand(),
      ...args(slow, '--fields', 'target=uri', '--connect', place),
    ]);
    let [output, errors] = ['', ''];
    child.stdout.on('data', data => (output += data));
    child.stderr.on('data', data => (errors += data));
    const ended = once(child, 'close').then(([status]) => ({ status, output, errors }));
    const isRunning = async () => (await queries!.running()).filter(one => !before.includes(one));
    await eventually(async () => (await isRunning()).length > 0);
    return { child, ended, id: (await isRunning())[0]! };
  }

  it.skipIf(queries === undefined)('cancels the query on the engine after Ctrl-C', async () => {
    const { child, ended, id } = await started();
    child.kill('SIGINT');
    expect(await ended).toEqual({
      ...{ status: 130, output: '' },
      errors: 'tollgate: interrupted; the query on the engine was canceled, and nothing is reported\n',
    });
    await eventually(async () => !(await queries!.running()).includes(id));
  });

  it.skipIf(queries === undefined)('says in one line that the query was killed', async () => {
    const { ended, id } = await started();
    await queries!.kill(id);
    expect(await ended).toEqual({
      ...{ status: 3, output: '' },
      errors: `tollgate: ${product} failed: ${messages.killed(id)}\n`,
    });
  });

  it.skipIf(queries === undefined)('says in one line that the connection broke', async () => {
    const { port, breakAll } = await relayTo(new URL(url));
    const through = url.replace(new URL(url).host, `127.0.0.1:${port}`);
    const { ended, id } = await started(through);
    breakAll();
    expect(await ended).toEqual({
      ...{ status: 3, output: '' },
      errors: expect.stringMatching(
        new RegExp(`^tollgate: (?:${product} failed:|cannot reach ${product}) [^\\n]+\\n$`),
      ),
    });
    // Trino waits some minutes for a client that is gone.
    await queries!.kill(id);
  });
});

/** What Trino 476 with two nodes says a minute after one of them was killed: where it read results, and where it gave a task to it. */
const LOST_WORKERS = [
  [
    'PAGE_TRANSPORT_TIMEOUT',
    '(http://127.0.0.1:18092/v1/task/20261130_081133_00345_bmwnw.0.1.0/results/0/0 - 124 failures, failure duration 60.04s, total failed request time 61.20s)',
  ],
  [
    'REMOTE_HOST_GONE',
    '(updating task http://127.0.0.1:18092/v1/task/20261130_083540_01148_bmwnw.1.0.0 - 123 failures, failure duration 60.12s, total failed request time 10.00s)',
  ],
].map(([errorName, place]) => ({
  ...{ errorName, errorType: 'INTERNAL_ERROR' },
  message: `Encountered too many errors talking to a worker node. The node may have crashed or be under too much load. This is probably a transient issue, so please retry your query in a few minutes. ${place}`,
}));

describe('a table of a Trino that loses a worker', () => {
  const columns = [{ name: 'uri', type: 'varchar' }];
  let error: (typeof LOST_WORKERS)[number];
  let statements: string[] = [];

  /** Nothing but the sample is read before the worker is lost. Then the coordinator runs what takes no worker. */
  const server = createHttpServer(async (request, response) => {
    const answer = (page: object) => response.end(JSON.stringify({ id: 'q', stats: { state: 'RUNNING' }, ...page }));
    if (request.method === 'GET') return answer({ columns, error });
    const sql = await text(request);
    statements.push(sql);
    if (sql.includes('from changed')) return answer({ error: { message: "Table 'changed' does not exist" } });
    if (sql.endsWith('limit 0')) return answer({ columns });
    if (sql.endsWith('limit 1000')) return answer({ columns, data: [['=/admin/']] });
    const isRead = /^(?:select|with) /.test(sql);
    if (!isRead || !statements.some(one => one.includes('group by'))) return answer({ columns, data: [['a']] });
    // A number of records, their path, and no host.
    return answer({
      columns,
      data: [[1, '=/', '-']],
      nextUri: `http://${request.headers.host}/v1/statement/executing/q/1`,
    });
  });
  beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  afterAll(() => server.close());

  const place = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hive/logs`;
  const table = () => ['--engine', 'trino', '--connect', place(), '--table', 'logs', '--fields', 'target=uri'];

  describe.each(LOST_WORKERS)('with the error $errorName', lost => {
    beforeEach(() => {
      error = lost;
      statements = [];
    });
    const expected = { code: 3, output: '', errors: `tollgate: Trino failed: ${lost.message}\n` };

    it.each([
      ['replay', POLICY],
      ['impact', POLICY, POLICY],
    ])('ends `%s` with one line, and without a figure', async (...command) => {
      expect(await runCaptured([...command, ...table()])).toEqual(expected);
      expect(statements.at(-1)).toContain('group by');
    });

    it('drops the rows that were to be written', async () => {
      expect(await runCaptured(['impact', POLICY, POLICY, ...table(), '--into', 'changed'])).toEqual(expected);
      const [created] = statements.flatMap(one => /^create table (changed_tollgate_\w+) /.exec(one)?.[1] ?? []);
      expect(statements.at(-1)).toBe(`drop table if exists ${created}`);
    });
  });
});

/** Forwards connections, which it can break. */
async function relayTo({ hostname, port }: URL) {
  const sockets = new Set<Socket>();
  const server = createServer(incoming => {
    const outgoing = connect(Number(port), hostname);
    for (const socket of [incoming, outgoing]) sockets.add(socket.on('error', () => undefined));
    incoming.pipe(outgoing).pipe(incoming);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const breakAll = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port: (server.address() as AddressInfo).port, breakAll };
}

interface Queries {
  /** The ids of the slow queries that run. */
  readonly running: () => Promise<readonly string[]>;
  readonly kill: (id: string) => Promise<unknown>;
}

function trinoQueries({ run }: ConnectedEngine): Queries {
  const slow = `source = 'tollgate' and query like '%sequence(1, 10000)%group by%' and query not like '%system.runtime%'`;
  return {
    running: async () => {
      const found = await run(`select query_id from system.runtime.queries where state = 'RUNNING' and ${slow}`);
      return found.map(([id]) => id!);
    },
    kill: id => run(`call system.runtime.kill_query(query_id => '${id}', message => 'enough')`),
  };
}

/** The web interface of the session, which shows jobs. */
function sparkQueries(origin: string): Queries {
  const applications = `${origin}/api/v1/applications`;
  return {
    running: async () => {
      const [application] = (await jsonAt(applications)) as readonly { readonly id: string }[];
      const jobs = (await jsonAt(`${applications}/${application!.id}/jobs?status=running`)) as readonly {
        readonly jobId: number;
        readonly description?: string;
      }[];
      // Not the sample, which ends by itself.
      return jobs.flatMap(({ jobId, description }) => (description?.includes('group by') ? String(jobId) : []));
    },
    // As the form of the page does.
    kill: async id => {
      const page = await (await fetch(`${origin}/jobs/`)).text();
      const token = /csrfToken" value="([0-9a-f]+)/.exec(page)?.[1] ?? '';
      return fetch(`${origin}/jobs/job/kill/`, { method: 'POST', body: new URLSearchParams({ id, csrfToken: token }) });
    },
  };
}

async function jsonAt(url: string): Promise<unknown> {
  return (await fetch(url)).json();
}
