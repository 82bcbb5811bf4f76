import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCaptured } from '../run-captured.ts';

let directory: string;

const REQUESTS = ['/a', '/b', '/a'].map(path => JSON.stringify({ method: 'GET', url: `https://e.co${path}` }));

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-engine-'));
  const deny = { expressions: ["req.Path == '/a'"], actions: [{ type: 'deny' }] };
  writeFileSync(join(directory, 'policy.json'), JSON.stringify({ inbound: [deny] }));
  writeFileSync(join(directory, 'traffic.jsonl'), REQUESTS.join('\n'));
  writeFileSync(join(directory, 'traffic[1].jsonl'), REQUESTS.join('\n'));
});

afterAll(() => rmSync(directory, { recursive: true }));

function replayed(traffic: string, ...options: readonly string[]) {
  return runCaptured(['replay', ...options, join(directory, 'policy.json'), join(directory, traffic)]);
}

it('replays on DuckDB what it replays in process', async () => {
  const [onDuckdb, inProcess] = await Promise.all(
    ['duckdb', 'js'].map(async name => {
      const { output } = await replayed('traffic.jsonl', '--format', 'json', '--engine', name);
      return JSON.parse(output);
    }),
  );
  expect(onDuckdb.engine).toEqual({ name: 'duckdb' });
  expect(onDuckdb.rules[0].matched).toBe(2);
  expect({ ...onDuckdb, engine: inProcess.engine }).toEqual(inProcess);
});

it('replays Parquet on DuckDB unless another engine is requested', async () => {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create()).connect();
  const from = `read_json('${join(directory, 'traffic.jsonl')}', format = 'newline_delimited')`;
  await connection.run(`copy (from ${from}) to '${join(directory, 'traffic.parquet')}' (format parquet)`);
  connection.closeSync();
  const [byDefault, inProcess] = await Promise.all(
    [[], ['--engine', 'js']].map(async options => {
      const { output } = await replayed('traffic.parquet', '--format', 'json', ...options);
      return JSON.parse(output);
    }),
  );
  expect(byDefault.engine).toEqual({ name: 'duckdb' });
  expect({ ...byDefault, engine: inProcess.engine }).toEqual(inProcess);
});

it('replays JSON lines in process by default', async () => {
  const { output } = await replayed('traffic.jsonl', '--format', 'json');
  expect(JSON.parse(output).engine).toEqual({ name: 'js' });
});

it('names DuckDB in the report', async () => {
  const { output } = await replayed('traffic.jsonl', '--engine', 'duckdb');
  expect(output).toMatch(/ on 3 exchanges, replayed by DuckDB\n/);
});

it('says why it replays without DuckDB', async () => {
  const { output, errors } = await replayed('traffic[1].jsonl', '--format', 'json', '--engine', 'duckdb');
  const reason = `the name of \`${join(directory, 'traffic[1].jsonl')}\` is a glob pattern to DuckDB`;
  expect(JSON.parse(output)).toMatchObject({ exchanges: 3, engine: { name: 'js', reason } });
  expect(errors).toContain(`replaying without DuckDB: ${reason}`);
});

it('says so in a report for people, too', async () => {
  const { output } = await replayed('traffic[1].jsonl', '--engine', 'duckdb');
  const reason = `the name of \`${join(directory, 'traffic[1].jsonl')}\` is a glob pattern to DuckDB`;
  expect(output.replace(/\n +/g, ' ')).toContain(`replayed in process, without DuckDB: ${reason}`);
});

describe('an impact', () => {
  const impactOf = async (...options: readonly string[]) => {
    const policies = ['empty.json', 'policy.json'].map(name => join(directory, name));
    writeFileSync(policies[0]!, JSON.stringify({ inbound: [] }));
    return runCaptured(['impact', ...options, ...policies, join(directory, 'traffic.jsonl')]);
  };

  it('is the same on DuckDB as in process, and names the engine', async () => {
    const [onDuckdb, inProcess] = await Promise.all(
      ['duckdb', 'js'].map(async name => JSON.parse((await impactOf('--format', 'json', '--engine', name)).output)),
    );
    expect(onDuckdb.engine).toEqual({ name: 'duckdb' });
    expect(onDuckdb.changed).toEqual({ least: 2, most: 2 });
    expect({ ...onDuckdb, engine: inProcess.engine }).toEqual(inProcess);
    expect((await impactOf('--engine', 'duckdb')).output).toContain('change (67 %), decided by DuckDB\n');
  });

  it('is decided in process where DuckDB cannot, and says why', async () => {
    const reason = '`--never-touch` reads every exchange that changes with its decisions';
    const options = ['--engine', 'duckdb', '--never-touch', "req.Path == '/b'"];
    const { output, errors } = await impactOf(...options);
    expect(errors).toContain(`deciding without DuckDB: ${reason}`);
    expect(output).toContain(`\n  decided in process, without DuckDB: ${reason}\n`);
    const { engine } = JSON.parse((await impactOf('--format', 'json', ...options)).output);
    expect(engine).toEqual({ name: 'js', reason });
  });
});
