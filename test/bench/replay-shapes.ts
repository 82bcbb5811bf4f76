// The large recordings that people have, in the options they use, next to a bare loop; figures are compared with those in process first:
//   npx node --conditions=tollgate-source test/bench/replay-shapes.ts [MEGABYTES] [ROUNDS] [ROW …]
// Rows are chosen by parts of their names. The loop is always there.

import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { median } from './measure.ts';
import { parseLines, type Run, requireBundle, runOnce, tollgate } from './measured-runs.ts';
import { changedPolicy, largePolicy, REPLAY_POLICY } from './replay-policy.ts';
import { type TrafficShape, writeTraffic } from './replay-traffic.ts';

const [MEGABYTES = '440', ROUNDS = '1', ...WANTED] = process.argv.slice(2);
const FOLDER = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));

interface Row {
  readonly name: string;
  /** The command and its arguments, without the format. */
  readonly args: readonly string[];
}

function write(name: string, content: object): string {
  const file = join(FOLDER, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

function traffic(name: string, shape: TrafficShape): string {
  const file = join(FOLDER, name);
  writeTraffic(file, shape, Number(MEGABYTES) * 1e6 * SIZES[shape]);
  return file;
}

/** What a record of each shape takes, compared with the first. */
const SIZES: Readonly<Record<TrafficShape, number>> = {
  'json-lines': 1,
  mixed: 1,
  flat: 0.8,
  nginx: 0.83,
  combined: 0.4,
};

/** A log that is still written ends within a line. */
function cutLine(file: string): string {
  appendFileSync(file, '{"time":"2026-11-21T10:00:00.000Z","client_ip":"198.51.100.1","me');
  return file;
}

async function parquet(lines: string): Promise<string> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  const file = lines.replace('.jsonl', '.parquet');
  await connection.run(`copy (from read_json('${lines}', format = 'newline_delimited')) to '${file}' (format parquet)`);
  connection.closeSync();
  return file;
}

/** A twenty-fourth of the time of a recording. */
function oneHour(file: string): readonly string[] {
  const text = readFileSync(file, 'latin1');
  const timeAt = (at: number) => Date.parse(/"time":"([^"]*)"/.exec(text.slice(at))![1]!);
  const [from, to] = [timeAt(0), timeAt(text.lastIndexOf('{"time"'))];
  const at = (hours: number) => new Date(from + Math.round(((to - from) * hours) / 24)).toISOString();
  return ['--since', at(10), '--until', at(11)];
}

async function rowsOf(lines: string): Promise<readonly Row[]> {
  const [policy, large] = [write('policy.json', REPLAY_POLICY), write('large.json', largePolicy())];
  const changed = write('changed.json', changedPolicy());
  const isWanted = (name: string) => WANTED.length === 0 || WANTED.some(part => name.includes(part));
  const rows: readonly (readonly [name: string, args: () => readonly string[] | Promise<readonly string[]>])[] = [
    ['JSON lines', () => ['replay', policy, lines]],
    ['in process', () => ['replay', '--engine', 'js', policy, lines]],
    ['mixed spelling, one null, a cut line', () => ['replay', policy, cutLine(traffic('mixed.jsonl', 'mixed'))]],
    ['a cut line', () => ['replay', policy, cutLine(traffic('cut.jsonl', 'json-lines'))]],
    ['Parquet with structs', async () => ['replay', policy, await parquet(lines)]],
    ['Parquet with flat headers', async () => ['replay', policy, await parquet(traffic('flat.jsonl', 'flat'))]],
    ['nginx', () => ['replay', policy, traffic('nginx.jsonl', 'nginx')]],
    ['one hour of a day', () => ['replay', ...oneHour(lines), policy, lines]],
    ['impact', () => ['impact', policy, changed, lines]],
    ['1,000 rules', () => ['replay', large, lines]],
  ];
  const wanted: Row[] = [];
  for (const [name, args] of rows) if (isWanted(name)) wanted.push({ name, args: await args() });
  return wanted;
}

function commandOf({ args: [command = '', ...args] }: Row, ...options: readonly string[]): readonly string[] {
  return tollgate(command, '--format', 'json', ...options, ...args);
}

/** Returns whether figures are equal. In process, the counts of very many keys are bounds, which have no number of keys. */
function areEqual(found: unknown, expected: unknown, name = ''): boolean {
  if (name === 'engine') return true;
  if (!isObject(found) || !isObject(expected)) return isDeepStrictEqual(found, expected);
  if ('top' in expected && !('distinct' in expected)) return true;
  const names = new Set([...Object.keys(found), ...Object.keys(expected)]);
  return [...names].every(one => areEqual(found[one], expected[one], one));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Returns which engine runs by default. */
async function verify(row: Row): Promise<string> {
  const found = await runOnce({ command: commandOf(row) });
  const { engine } = JSON.parse(found.output);
  if (row.args.includes('--engine')) return engine.name;
  const expected = await runOnce({ command: commandOf(row, '--engine', 'js') });
  if (!areEqual(JSON.parse(found.output), JSON.parse(expected.output)))
    throw new Error(`${row.name}: figures differ from those in process`);
  return engine.name;
}

async function measure(): Promise<void> {
  requireBundle();
  const lines = traffic('traffic.jsonl', 'json-lines');
  const rows = await rowsOf(lines);
  const engines = [''];
  for (const row of rows) engines.push(await verify(row));
  const loop = [process.execPath, '--conditions=tollgate-source', import.meta.filename, 'bare', lines];
  const commands = [loop, ...rows.map(row => commandOf(row))];
  const runs = commands.map((): Run[] => []);
  for (let round = 0; round < Number(ROUNDS); round++)
    for (const [at, command] of commands.entries()) runs[at]!.push(await runOnce({ command }));
  const middle = (at: number, figure: 'seconds' | 'cpu' | 'megabytes') => median(runs[at]!.map(run => run[figure]));
  console.log(`${''.padEnd(38)}    wall           CPU      memory  engine`);
  for (const [at, name] of ['bare JSON.parse loop', ...rows.map(row => row.name)].entries()) {
    const times = (['seconds', 'cpu'] as const).map(
      figure =>
        `${middle(at, figure).toFixed(2).padStart(6)} ${(middle(at, figure) / middle(0, figure)).toFixed(2).padStart(5)} ×`,
    );
    console.log(
      `${name.padEnd(38)}${times.join('')}${middle(at, 'megabytes').toFixed(0).padStart(6)} MB  ${engines[at]}`,
    );
  }
}

try {
  if (MEGABYTES === 'bare') console.log(await parseLines(ROUNDS));
  else await measure();
} finally {
  rmSync(FOLDER, { recursive: true });
}
