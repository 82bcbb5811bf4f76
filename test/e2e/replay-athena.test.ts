import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { type AthenaResult, athenaForTests } from '../support/athena-stand-in.ts';
import { trinoForTests } from '../support/cluster-engines.ts';
import { eventually } from '../support/eventually.ts';
import { installedCommand } from '../support/installed-command.ts';

const directory = mkdtempSync(join(tmpdir(), 'tollgate-athena-'));
const trino = await trinoForTests();
const stand = await athenaForTests(() => new Promise(() => undefined));
const usual = { ...stand.behaviour };

beforeEach(() => Object.assign(stand.behaviour, usual));
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await stand.stop();
  await trino?.stop();
});

writeFileSync(
  join(directory, 'policy.yaml'),
  `inbound:
  - name: no posts
    expressions: ["req.Method == 'POST'"]
    actions: [{ type: deny, config: { status_code: 403 } }]
`,
);

/** Runs the command in a process of its own; `whenRunning` is told when a query runs. */
async function replayed(options: readonly string[], whenRunning?: (child: ReturnType<typeof spawn>) => void) {
  const args = [await installedCommand(), 'replay', '--engine', 'athena', ...options, 'policy.yaml'];
  const child = spawn(process.execPath, args, { cwd: directory, env: { PATH: process.env.PATH, ...stand.env } });
  let [output, errors] = ['', ''];
  child.stdout.on('data', data => (output += data));
  child.stderr.on('data', data => (errors += data));
  const ended = once(child, 'close');
  if (whenRunning !== undefined) {
    await eventually(() => stand.states().at(-1)?.[1] === 'RUNNING' || child.exitCode !== null);
    whenRunning(child);
  }
  const [status] = await ended;
  return { status, output, errors };
}

const named = (...names: readonly string[]) => names.map(name => ({ name, type: 'varchar' }));

it('reports what happens to the traffic, and what was scanned', async () => {
  const results: AthenaResult[] = [
    { columns: named('method'), rows: [] },
    { columns: named('_col0'), rows: [['varchar']] },
    { columns: named('_col0'), rows: [['=GET'], ['=POST'], ['-']] },
    {
      columns: named('n', 'c0'),
      rows: [
        ['90', '=GET'],
        ['10', '=POST'],
      ],
    },
    {
      columns: named('w0', 'counts', '_col2', '_col3', 'empty', '_col5'),
      rows: [
        ['0', '[[null,90]]', '0', '0', '0', '["=GET"]'],
        ['1', '[[null,10]]', '0', '0', '0', '["=POST"]'],
      ],
    },
  ];
  stand.behaviour.run = async () => results.shift()!;
  const { status, output, errors } = await replayed(['--table', 'alb_logs', '--top', '0']);
  expect([status, errors, results.length]).toEqual([0, '', 0]);
  expect(output).toMatch(/^policy.yaml \(https-route\) on 100 exchanges, replayed by Athena\n/);
  expect(output).toContain('\n  Athena scanned 7.5 MB\n');
  expect(output).toMatch(/\n {2}denied with 403 +10 +10 %/);
  expect(stand.states().map(([sql]) => sql)[2]).toContain('limit 1000');
});

it('stops the query on Athena after Ctrl-C', async () => {
  expect(await replayed(['--table', 'slow'], child => child.kill('SIGINT'))).toEqual({
    ...{ status: 130, output: '' },
    errors: 'tollgate: interrupted; the query on the engine was canceled, and nothing is reported\n',
  });
  expect(stand.states().at(-1)![1]).toBe('CANCELLED');
});

it('stops a query that takes too long', async () => {
  expect(await replayed(['--table', 'slow', '--query-timeout', '2'])).toEqual({
    ...{ status: 3, output: '' },
    errors: 'tollgate: Athena failed: no answer within 2 s; `--query-timeout` allows more\n',
  });
  await eventually(() => stand.states().at(-1)![1] === 'CANCELLED');
});

it('says in one line that access is denied', async () => {
  const message = 'User: arn:aws:iam::123456789012:user/ada is not authorized to perform: athena:StartQueryExecution';
  stand.behaviour.refuse = () => ({ name: 'AccessDeniedException', message });
  expect(await replayed(['--table', 'alb_logs'])).toEqual({
    ...{ status: 3, output: '' },
    errors: `tollgate: Athena failed: ${message}\n`,
  });
});

it.skipIf(trino === undefined)('has the figures of Trino, which runs its queries', async () => {
  const { session, run } = trino!;
  stand.behaviour.run = async sql => ({ columns: await session.describe(sql), rows: await run(sql) });
  const request = `cast(row('192.0.2.1', if(n % 4 = 0, 'POST', 'GET')) as row(ip varchar, method varchar))`;
  const table = `(select ${request} as request from unnest(sequence(1, 3000)) as numbers(n))`;
  const { status, output, errors } = await replayed([
    ...['--table', table, '--format', 'json'],
    ...['--fields', 'method=request.method,client_ip=request.ip'],
  ]);
  expect([status, errors]).toEqual([0, '']);
  const { exchanges, rules } = JSON.parse(output);
  expect([exchanges, rules[0].matched]).toEqual([3000, 750]);
});
