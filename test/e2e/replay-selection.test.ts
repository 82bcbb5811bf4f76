import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCaptured } from '@tollgate/cli';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installedCommand } from '../support/installed-command.ts';

const POLICY = `inbound:
  - name: no writing
    expressions: ["req.Method == 'POST'"]
    actions: [{ type: deny, config: { status_code: 403 } }]
  - expressions: ["req.Host == 'b.example'"]
    actions: [{ type: deny, config: { status_code: 404 } }]
`;
const line = (second: number, method: string, host = 'a.example') =>
  JSON.stringify({
    ...{ time: `2026-11-21T10:00:0${second}Z`, client_ip: `192.0.2.${second}`, method },
    ...(host === '' ? { target: '/x' } : { url: `https://${host}/p${second}?q=1` }),
  });
const LINES = [line(1, 'GET'), line(2, 'POST'), line(3, 'POST'), line(4, 'GET', 'b.example'), line(5, 'GET', '')];

let directory: string;
const at = (name: string) => join(directory, name);

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-selection-'));
  writeFileSync(at('policy.yaml'), POLICY);
  writeFileSync(at('traffic.jsonl'), LINES.join('\n'));
});

afterAll(() => rmSync(directory, { recursive: true }));

const replay = (...args: readonly string[]) => runCaptured(['replay', ...args, at('policy.yaml'), at('traffic.jsonl')]);

describe('a replay of part of the traffic', () => {
  it.each([
    ["decision.outcome == 'denied'", 3, 1],
    ["'no writing' in decision.names && conn.ClientIP == '192.0.2.3'", 1, 0],
    ["decision.outcome in ['denied', 'passed']", 5, 0],
    ["req.Path == '/p1'", 1, 0],
  ])('reports where %s', async (where, selected, unknown) => {
    const document = JSON.parse((await replay('-f', 'json', '--where', where)).output);
    expect([document.exchanges, document.selection]).toEqual([5, { selected, unknown }]);
    expect(document.rules[0].matched + document.rules[0].notMatched).toBe(selected);
  });

  it('reports a time span, and says so', async () => {
    const { output } = await replay('--since', '2026-11-21T10:00:02Z', '--until', '2026-11-21T10:00:04Z');
    expect(output).toContain('  2 exchanges of 5 selected\n');
    expect(output).toMatch(/denied with 403 +2 +100 %/);
    expect(output).toContain('  who is affected\n  denied with 403\n    clients    192.0.2.2 (1), 192.0.2.3 (1)\n');
  });

  it('lists decisions with client, method and path', async () => {
    expect(
      (await replay('-f', 'decisions', '--where', 'decision.status == 404')).output.replaceAll(directory, ''),
    ).toBe(
      'file,number,time,client,method,path,route,outcome,status,rules,needs\r\n' +
        '/traffic.jsonl,4,2026-11-21T10:00:04.000Z,192.0.2.4,GET,/p4,,denied with 404,404,inbound 2,\r\n',
    );
    const { output } = await replay('-f', 'ndjson', '--where', 'decision.status == 404');
    expect(JSON.parse(output.split('\n')[0]!)).toMatchObject({ client: '192.0.2.4', method: 'GET', path: '/p4' });
  });

  it.each([
    [['--where', 'req.Pth'], 'tollgate: --where `req.Pth`: `req` has no field `Pth`; did you mean `Path`?\n'],
    [['--where', 'decision.status'], 'tollgate: --where `decision.status`: the expression must be a bool, found int\n'],
    [['--sample', '0'], expect.stringContaining('expected a number of exchanges up to 1000000')],
    [['--sample', '101%'], expect.stringContaining('or a share such as `1%`')],
    [['--since', 'noon'], expect.stringContaining('expected a time')],
  ])('refuses %j', async (options, errors) => {
    expect(await replay(...options)).toMatchObject({ code: 2, errors });
  });
});

it('ends with a partial report on Ctrl-C, even if its input never ends', async () => {
  const args = [await installedCommand(), 'replay', '-f', 'ndjson', at('policy.yaml'), '-'];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>(done => child.on('exit', done));
  let output = '';
  const begun = new Promise<void>(done => {
    child.stdout.on('data', data => {
      output += data;
      done();
    });
  });
  child.stdin.on('error', () => undefined);
  child.stdin.write(`${LINES[0]}\n`.repeat(50_000));
  await begun;
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  const summary = JSON.parse(output.trimEnd().split('\n').at(-1)!);
  expect(summary).toMatchObject({ kind: 'summary', isPartial: true });
  expect(summary.exchanges).toBeGreaterThan(0);
});
