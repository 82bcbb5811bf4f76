// Replays of 30 and 1,000 rules with default options, in process and on DuckDB, next to a bare loop and other tools:
//   npx node --conditions=tollgate-source test/bench/replay.ts [MEGABYTES] [ROUNDS] [GIGABYTES FOR MEMORY]
//   npx node --conditions=tollgate-source test/bench/replay.ts engines
// The first compares, and measures memory with the same file over and over. The second finds from which size on DuckDB pays.

import { spawnSync } from 'node:child_process';
import { linkSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { median } from './measure.ts';
import { parseLines, type Run, requireBundle, runOnce, tollgate } from './measured-runs.ts';
import { changedPolicy, largePolicy, REPLAY_POLICY } from './replay-policy.ts';
import { writeTraffic } from './replay-traffic.ts';

const MEGABYTES = Number(process.argv[2] ?? 400);
const ROUNDS = Number(process.argv[3] ?? 1);
const GIGABYTES = Number(process.argv[4] ?? 10);

/** One way to go through traffic: a program, and what it printed. */
interface Way {
  readonly name: string;
  readonly command: readonly string[];
  /** Exchanges that it found; undefined where its output does not say. */
  readonly count: (output: string) => number | undefined;
}

const FOLDER = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
const fileIn = (name: string) => join(FOLDER, name);
const [JSON_LINES, DISTINCT, PARQUET] = ['traffic.jsonl', 'distinct.jsonl', 'traffic.parquet'].map(fileIn);
const GZIP = fileIn('traffic.jsonl.gz');
const [ACCESS_LOG, POLICY, LARGE_POLICY] = ['access.log', 'policy.json', 'large.json'].map(fileIn);
const [CHANGED_POLICY, PLAIN_POLICY, GO_PROGRAM] = ['changed.json', 'plain.json', 'cel-go'].map(fileIn);

const THIS = [process.execPath, '--conditions=tollgate-source', import.meta.filename];
interface Replayed {
  readonly files: readonly string[];
  readonly policy?: string | undefined;
  /** Options other than the default ones. */
  readonly engine?: 'duckdb' | 'js';
  readonly threads?: number;
}

function replayWay(name: string, { files, policy = POLICY!, engine, threads }: Replayed): Way {
  const options = [...(engine ? ['--engine', engine] : []), ...(threads ? ['--threads', String(threads)] : [])];
  return {
    name,
    command: tollgate('replay', '--format', 'json', ...options, policy, ...files),
    count: output => {
      const { engine: ran, exchanges } = JSON.parse(output);
      if (engine !== undefined && ran.name !== engine) throw new Error(`replayed by ${ran.name}: ${ran.reason}`);
      if (engine === undefined) ENGINES.set(name, ran.name);
      return exchanges;
    },
  };
}

/** Which engine ran by default. */
const ENGINES = new Map<string, string>();

function impactWay(file: string): Way {
  const command = tollgate('impact', '--format', 'json', POLICY!, CHANGED_POLICY!, file);
  return { name: 'impact of two policies', command, count: output => JSON.parse(output).exchanges };
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

const CEL_GO: Way = {
  name: 'cel-go, all threads',
  command: [GO_PROGRAM!, PLAIN_POLICY!, JSON_LINES!],
  count: output => JSON.parse(output).exchanges,
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

/** The conditions of the rules. No rule ends an exchange, so that each can be counted on its own. */
function plainPolicy(): object {
  const plain = (rules: readonly { readonly expressions: readonly string[] }[]) =>
    rules.map(({ expressions }) => ({ expressions, actions: [{ type: 'log', config: { metadata: { n: '1' } } }] }));
  return { inbound: plain(REPLAY_POLICY.inbound), outbound: plain(REPLAY_POLICY.outbound) };
}

/** By turns, so that a busy machine hits all alike. Ratios are to the first way. */
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
  console.log(`${''.padEnd(34)}thousand/s    wall     CPU  memory  engine`);
  const middle = (index: number, figure: 'seconds' | 'cpu') => median(runs[index]!.map(run => run[figure]));
  for (const [index, { name }] of ways.entries()) {
    const seconds = middle(index, 'seconds');
    const memory = Math.max(...runs[index]!.map(run => run.megabytes)).toFixed(0);
    const rate = String(Math.round(exchanges / seconds / 1000));
    const ratios = [seconds / middle(0, 'seconds'), middle(index, 'cpu') / middle(0, 'cpu')];
    const shown = ratios.map(ratio => `${ratio.toFixed(2).padStart(6)} ×`).join('');
    console.log(`${name.padEnd(34)}${rate.padStart(10)}${shown}${memory.padStart(5)} MB  ${ENGINES.get(name) ?? ''}`);
  }
}

/** Other tools must count the same. */
async function verify(ways: readonly Way[]): Promise<void> {
  const { rules } = JSON.parse((await runOnce(replayWay('', { files: [JSON_LINES!], policy: PLAIN_POLICY }))).output);
  const matched: readonly number[] = rules.map((rule: { readonly matched: number }) => rule.matched);
  const failures = matched[REPLAY_POLICY.inbound.length];
  for (const way of ways) {
    const { output } = await runOnce(way);
    const found = way === CEL_GO ? JSON.parse(output).matched : Number(output);
    if (!isDeepStrictEqual(found, way === CEL_GO ? matched : failures))
      throw new Error(`${way.name} finds ${found}, not ${way === CEL_GO ? matched : failures}`);
  }
}

async function measure(): Promise<void> {
  const bytes = MEGABYTES * 1e6;
  const lines = writeTraffic(JSON_LINES!, 'json-lines', bytes);
  await writeParquet();
  writePolicies();
  const others = [...(isInstalled('jq') ? [JQ] : []), ...(buildCelGo() ? [CEL_GO] : [])];
  await verify(others);
  const files = [JSON_LINES!];
  const ways = [
    bareWay(JSON_LINES!),
    replayWay('default options', { files }),
    replayWay('default options, 1,000 rules', { files, policy: LARGE_POLICY }),
    replayWay('default options, Parquet', { files: [PARQUET!] }),
    replayWay('Parquet, one thread', { files: [PARQUET!], threads: 1 }),
    replayWay('in process', { files, engine: 'js' }),
    replayWay('DuckDB, one thread', { files, engine: 'duckdb', threads: 1 }),
    replayWay('DuckDB, two threads', { files, engine: 'duckdb', threads: 2 }),
    impactWay(JSON_LINES!),
    ...others,
  ];
  await compare(`JSON lines, ${MEGABYTES} MB`, ways, lines);
  const distinct = writeTraffic(DISTINCT!, 'json-lines', bytes, 'distinct');
  const worst = [bareWay(DISTINCT!), replayWay('default options', { files: [DISTINCT!] })];
  await compare('Every value distinct', worst, distinct);
  const requests = writeTraffic(ACCESS_LOG!, 'combined', bytes / 2);
  const logs = [replayWay('default options', { files: [ACCESS_LOG!] }), ...(isInstalled('goaccess') ? [GOACCESS] : [])];
  await compare(`Access log, ${MEGABYTES / 2} MB`, logs, requests);
  const times = Math.ceil((GIGABYTES * 1000) / MEGABYTES);
  const repeated = Array.from({ length: times }, (_, index) => fileIn(`traffic-${index}.jsonl`));
  // A file that is named twice is read once.
  for (const link of repeated) linkSync(JSON_LINES!, link);
  const memory = [
    replayWay('default options', { files: repeated }),
    replayWay('in process', { files: repeated, engine: 'js' }),
  ];
  await compare(`JSON lines, ${GIGABYTES} GB of the same file`, memory, times * lines);
}

/** Finds the size from which on DuckDB takes less time. */
async function compareEngines(): Promise<void> {
  writePolicies();
  for (const megabytes of [50, 100, 200, 300, 400, 600]) {
    const lines = writeTraffic(JSON_LINES!, 'json-lines', megabytes * 1e6);
    spawnSync('sh', ['-c', `gzip -1 -c ${JSON_LINES} > ${GZIP}`]);
    const ways = [JSON_LINES!, GZIP!].flatMap((file, index) => [
      replayWay(index === 0 ? 'in process' : 'gzip, in process', { files: [file], engine: 'js' }),
      replayWay(index === 0 ? 'DuckDB' : 'gzip, DuckDB', { files: [file], engine: 'duckdb' }),
    ]);
    await compare(`JSON lines, ${megabytes} MB`, ways, lines);
  }
}

function writePolicies(): void {
  requireBundle();
  writeFileSync(POLICY!, JSON.stringify(REPLAY_POLICY));
  writeFileSync(LARGE_POLICY!, JSON.stringify(largePolicy()));
  writeFileSync(CHANGED_POLICY!, JSON.stringify(changedPolicy()));
  writeFileSync(PLAIN_POLICY!, JSON.stringify(plainPolicy()));
}

function buildCelGo(): boolean {
  const folder = join(import.meta.dirname, 'cel-go');
  const { status, stderr } = spawnSync('go', ['build', '-o', GO_PROGRAM!, '.'], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) console.log(`no comparison with cel-go: ${stderr ?? 'Go is not installed'}`);
  return status === 0;
}

function isInstalled(command: string): boolean {
  const found = spawnSync(command, ['--version']).status === 0;
  if (!found) console.log(`${command} is not installed: \`apt-get install ${command}\``);
  return found;
}

const [mode, file = ''] = process.argv.slice(2);
try {
  if (mode === 'bare') console.log(await parseLines(file));
  else if (mode === 'engines') await compareEngines();
  else await measure();
} finally {
  rmSync(FOLDER, { recursive: true });
}
