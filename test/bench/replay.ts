// Replays of 30 and 1,000 rules with default options, in process and on DuckDB, next to a bare loop and other tools:
//   npx node --conditions=tollgate-source test/bench/replay.ts [MEGABYTES] [ROUNDS]

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './measure.ts';
import { REPLAY_POLICY } from './replay-policy.ts';
import { writeTraffic } from './replay-traffic.ts';

const MEGABYTES = Number(process.argv[2] ?? 400);
const ROUNDS = Number(process.argv[3] ?? 1);
const COMMAND = join(import.meta.dirname, '../../packages/cli/dist/bundle/main.cjs');

/** One way to go through a file: a program, and what it printed. */
interface Way {
  readonly name: string;
  readonly command: readonly string[];
  /** Exchanges that it found; undefined where its output does not say. */
  readonly count: (output: string) => number | undefined;
}

const FOLDER = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
const fileIn = (name: string) => join(FOLDER, name);
const [JSON_LINES, DISTINCT, PARQUET] = ['traffic.jsonl', 'distinct.jsonl', 'traffic.parquet'].map(fileIn);
const [ACCESS_LOG, POLICY, LARGE_POLICY] = ['access.log', 'policy.json', 'large.json'].map(fileIn);

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

function replayWay(engine: 'duckdb' | 'js', threads: number, file: string, policy = POLICY!): Way {
  const args = ['replay', '--format', 'json', '--engine', engine, '--threads', String(threads), policy, file];
  const rules = policy === POLICY ? '' : ', 1,000 rules';
  return {
    name: `${engine}, ${threads} thread${threads > 1 ? 's' : ''}${rules}`,
    command: [process.execPath, '-e', START, '--', 'tollgate', ...args],
    count: output => {
      const { engine: ran, exchanges } = JSON.parse(output);
      if (ran.name !== engine) throw new Error(`replayed by ${ran.name}: ${ran.reason}`);
      return exchanges;
    },
  };
}

/** The loop over another file than the one that is replayed has to find as many records. */
function bareWay(file: string): Way {
  return { name: 'bare JSON.parse loop', command: [...THIS, 'bare', file], count: Number };
}

const JQ: Way = {
  name: 'jq, one condition',
  command: ['jq', '-n', '[inputs | select(.status >= 500)] | length', JSON_LINES!],
  count: () => undefined,
};

const GOACCESS: Way = {
  name: 'goaccess',
  command: ['goaccess', ACCESS_LOG!, '--log-format=COMBINED', '--no-global-config', '-o', join(FOLDER, 'report.json')],
  count: () => JSON.parse(readFileSync(join(FOLDER, 'report.json'), 'utf8')).general?.valid_requests,
};

async function writeParquet(): Promise<void> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  await connection.run(
    `copy (from read_json('${JSON_LINES}', format = 'newline_delimited')) to '${PARQUET}' (format parquet)`,
  );
  connection.closeSync();
}

/** The rules, and others on paths, user agents and addresses. */
function largePolicy(): typeof REPLAY_POLICY {
  const inbound = Array.from({ length: 970 }, (_, n) => {
    const conditions = [
      `req.Path.startsWith('/section-${n}/')`,
      `req.Path.matches('^/(?:a|b)-${n}/[0-9]+$')`,
      `req.Headers['User-Agent'][0].contains('scanner-${n}')`,
      `inCidrRange(conn.ClientIP, '81.${n % 256}.${n >> 4}.0/24')`,
    ];
    return { expressions: [conditions[n % 4]!], actions: [{ type: 'log', config: { metadata: { n: String(n) } } }] };
  });
  return { ...REPLAY_POLICY, inbound: [...REPLAY_POLICY.inbound, ...inbound] } as typeof REPLAY_POLICY;
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
      if (count !== undefined && count !== exchanges)
        throw new Error(`${way.name}: ${count} exchanges, not ${exchanges}`);
      runs[index]!.push(run);
    }
  }
  console.log(`\n${title}, ${exchanges} exchanges`);
  const [first = 0] = runs.map(list => median(list.map(({ seconds }) => seconds)));
  for (const [index, { name }] of ways.entries()) {
    const seconds = median(runs[index]!.map(run => run.seconds));
    const memory = Math.max(...runs[index]!.map(run => run.megabytes));
    const rate = Math.round(exchanges / seconds / 1000);
    console.log(
      `${name.padEnd(28)}${String(rate).padStart(6)} thousand/s ${(seconds / first).toFixed(2).padStart(6)} × ${memory.toFixed(0).padStart(6)} MB`,
    );
  }
}

async function measure(): Promise<void> {
  if (!existsSync(COMMAND)) throw new Error('`npm run build` first: the command is measured as it is published');
  const bytes = MEGABYTES * 1e6;
  const lines = writeTraffic(JSON_LINES!, 'json-lines', bytes);
  await writeParquet();
  writeFileSync(POLICY!, JSON.stringify(REPLAY_POLICY));
  writeFileSync(LARGE_POLICY!, JSON.stringify(largePolicy()));
  const ways = [
    bareWay(JSON_LINES!),
    replayWay('js', 1, JSON_LINES!),
    replayWay('duckdb', 1, JSON_LINES!),
    replayWay('duckdb', 2, JSON_LINES!),
    { ...replayWay('duckdb', 2, PARQUET!), name: 'duckdb, 2 threads, Parquet' },
    replayWay('duckdb', 2, JSON_LINES!, LARGE_POLICY),
  ];
  await compare(`JSON lines, ${MEGABYTES} MB`, [...ways, ...(isInstalled('jq') ? [JQ] : [])], lines);
  const distinct = writeTraffic(DISTINCT!, 'json-lines', bytes, 'distinct');
  await compare('Every value distinct', [bareWay(DISTINCT!), replayWay('duckdb', 2, DISTINCT!)], distinct);
  const requests = writeTraffic(ACCESS_LOG!, 'combined', bytes / 2);
  const logs = [replayWay('js', 1, ACCESS_LOG!), ...(isInstalled('goaccess') ? [GOACCESS] : [])];
  await compare(`Access log, ${MEGABYTES / 2} MB`, logs, requests);
}

function isInstalled(command: string): boolean {
  const found = spawnSync(command, ['--version']).status === 0;
  if (!found) console.log(`${command} is not installed: \`apt-get install ${command}\``);
  return found;
}

const [mode, file = ''] = process.argv.slice(2);
try {
  if (mode === 'bare') console.log(await parseLines(file));
  else await measure();
} finally {
  rmSync(FOLDER, { recursive: true });
}
