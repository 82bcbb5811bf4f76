// A replay of 30 rules over JSON lines and over an access log, beside bare loops and other tools:
//   npx node --conditions=tollgate-source test/bench/replay.ts [MEGABYTES]

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './measure.ts';
import { REPLAY_POLICY } from './replay-policy.ts';
import { writeTraffic } from './replay-traffic.ts';

const MEGABYTES = Number(process.argv[2] ?? 100);
const ROUNDS = Number(process.argv[3] ?? 3);
const COMMAND = join(import.meta.dirname, '../../packages/cli/dist/bundle/main.cjs');

/** One way to go through a file: a program, and what it printed. */
interface Way {
  readonly name: string;
  readonly command: readonly string[];
  /** Exchanges that it found; undefined where its output does not say. */
  readonly count: (output: string) => number | undefined;
}

const FOLDER = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
const [JSON_LINES, ACCESS_LOG, POLICY] = ['traffic.jsonl', 'access.log', 'policy.json'].map(name => join(FOLDER, name));

/** The loop that is to be reached, in a process of its own as all others. */
async function parseLines(file: string): Promise<number> {
  let [rest, count, statuses] = ['', 0, 0];
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 256 * 1024 })) {
    const text: string = rest + chunk;
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      const record: { readonly status: number } = JSON.parse(text.slice(start, end));
      statuses += record.status;
      count++;
      start = end + 1;
    }
    rest = text.slice(start);
  }
  return statuses > 0 ? count : 0;
}

const THIS = [process.execPath, '--conditions=tollgate-source', import.meta.filename];
const START = `require(${JSON.stringify(COMMAND)}).runCommandLine(process)`;

function replayWay(threads: number, file: string): Way {
  const args = ['replay', '--format', 'json', '--top', '0', '--threads', String(threads), POLICY!, file];
  return {
    name: `tollgate replay, ${threads} thread${threads > 1 ? 's' : ''}`,
    command: [process.execPath, '-e', START, '--', 'tollgate', ...args],
    count: output => JSON.parse(output).exchanges,
  };
}

const BARE: Way = { name: 'bare JSON.parse loop', command: [...THIS, 'bare', JSON_LINES!], count: Number };
const DUCKDB: Way = { name: 'DuckDB read_json', command: [...THIS, 'duckdb', JSON_LINES!], count: Number };

const GOACCESS: Way = {
  name: 'goaccess',
  command: ['goaccess', ACCESS_LOG!, '--log-format=COMBINED', '--no-global-config', '-o', join(FOLDER, 'report.json')],
  count: () => JSON.parse(readFileSync(join(FOLDER, 'report.json'), 'utf8')).general?.valid_requests,
};

/** The same columns as the policy reads, aggregated so that each is. */
async function countWithDuckdb(file: string): Promise<number> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  const columns = `client_ip: 'VARCHAR', method: 'VARCHAR', url: 'VARCHAR', status: 'INTEGER', tls_version: 'VARCHAR', country: 'VARCHAR',
    request_headers: 'MAP(VARCHAR, VARCHAR)', response_headers: 'MAP(VARCHAR, VARCHAR)'`;
  const reader = await connection.runAndReadAll(
    `SELECT count(*)::INTEGER, sum(length(client_ip) + length(method) + length(url) + status + length(tls_version) + length(country)
       + cardinality(request_headers) + cardinality(response_headers))
     FROM read_json('${file}', format = 'newline_delimited', columns = {${columns}})`,
  );
  return Number(reader.getRows()[0]?.[0]);
}

interface Run {
  readonly seconds: number;
  readonly megabytes: number;
  readonly output: string;
}

/** Wall-clock time of a process, and the most memory that it held, as the kernel says at its end. */
async function runOnce({ command }: Way): Promise<Run> {
  const start = performance.now();
  const child: ChildProcess = spawn('/usr/bin/time', ['-f', '%M', ...command], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  child.stdout?.on('data', text => {
    output += text;
  });
  child.stderr?.on('data', text => {
    errors += text;
  });
  const status = await new Promise(resolve => child.on('close', resolve));
  if (status !== 0) throw new Error(`${command.join(' ')}: ${errors}`);
  const kilobytes = Number(errors.trim().split('\n').at(-1));
  return { seconds: (performance.now() - start) / 1000, megabytes: kilobytes / 1024, output };
}

/** By turns, so that a busy machine hits all alike. */
async function compare(title: string, ways: readonly Way[], exchanges: number): Promise<void> {
  const runs = ways.map((): Run[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, way] of ways.entries()) {
      const run = await runOnce(way);
      const count = way.count(run.output);
      if (count !== exchanges) throw new Error(`${way.name}: ${count} exchanges, not ${exchanges}`);
      runs[index]!.push(run);
    }
  }
  const figures = replayed
    .map(way => figuresOf(runs[ways.indexOf(way)]?.[0]?.output))
    .filter(text => text !== undefined);
  if (new Set(figures).size > 1) throw new Error('the figures of the replays differ');
  console.log(`\n${title}, ${exchanges} exchanges`);
  const [first = 0] = runs.map(list => median(list.map(({ seconds }) => seconds)));
  for (const [index, { name }] of ways.entries()) {
    const seconds = median(runs[index]!.map(run => run.seconds));
    const memory = Math.max(...runs[index]!.map(run => run.megabytes));
    const rate = Math.round(exchanges / seconds / 1000);
    console.log(
      `${name.padEnd(28)}${String(rate).padStart(6)} thousand/s ${(first / seconds).toFixed(2).padStart(6)} ${memory.toFixed(0).padStart(6)} MB`,
    );
  }
}

/** What has to be the same on any number of threads. */
function figuresOf(output: string | undefined): string | undefined {
  return output?.startsWith('{') ? output : undefined;
}

const replayed: Way[] = [];

async function measure(): Promise<void> {
  if (!existsSync(COMMAND)) throw new Error('`npm run build` first: the command is measured as it is published');
  const [lines, requests] = [
    writeTraffic(JSON_LINES!, 'json-lines', MEGABYTES * 1e6),
    writeTraffic(ACCESS_LOG!, 'combined', MEGABYTES * 1e6),
  ];
  writeFileSync(POLICY!, JSON.stringify(REPLAY_POLICY));
  const json = [replayWay(1, JSON_LINES!), replayWay(2, JSON_LINES!)];
  replayed.push(...json);
  await compare(
    `JSON lines, ${MEGABYTES} MB (at least 1 on one thread, 1.7 times that on two)`,
    [BARE, ...json, DUCKDB],
    lines,
  );
  const logs = [replayWay(1, ACCESS_LOG!), replayWay(2, ACCESS_LOG!)];
  replayed.splice(0, replayed.length, ...logs);
  const hasGoaccess = spawnSync('goaccess', ['--version']).status === 0;
  if (!hasGoaccess) console.log('\ngoaccess is not installed: `apt-get install goaccess`');
  const title = `Access log, ${MEGABYTES} MB (more than goaccess)`;
  await compare(title, hasGoaccess ? [GOACCESS, ...logs] : logs, requests);
}

const [mode, file = ''] = process.argv.slice(2);
try {
  if (mode === 'bare') console.log(await parseLines(file));
  else if (mode === 'duckdb') console.log(await countWithDuckdb(file));
  else await measure();
} finally {
  rmSync(FOLDER, { recursive: true });
}
