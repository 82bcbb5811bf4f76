// Replays on a table of an engine: processor time of the engine and of the command, its memory, and the bytes between them. First, the figures of
// 200,000 rows are compared with those in process, and then the median of some rounds is printed for each number of rows and rules:
//   npx node --conditions=tollgate-source test/bench/table-scan.ts --engine clickhouse --millions 1,5,30 --rules 30,1000 --top 10
//     --engine    clickhouse and postgres are started; TOLLGATE_TEST_TRINO and TOLLGATE_TEST_SPARK name those that run
//     --millions  how many rows
//     --rules     30, 1000 or both, for the ratio
//     --top       the number of keys in each list
//     --others    the share of URLs of an unusual form, in percent
//     --repeating so that URLs repeat; otherwise, nearly each row has another one
//     --rounds    how often each replay is measured

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { median } from './measure.ts';
import { requireBundle, runOnce, tollgate } from './measured-runs.ts';
import { largePolicy, REPLAY_POLICY } from './replay-policy.ts';
import { countingProxy, type EngineUnderTest, engineUnderTest, MEASURED_ENGINES } from './table-engines.ts';

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'clickhouse' },
    millions: { type: 'string', default: '5' },
    rules: { type: 'string', default: '30' },
    top: { type: 'string', default: '0' },
    others: { type: 'string', default: '0' },
    repeating: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
  },
});
const NAME = MEASURED_ENGINES.find(one => one === values.engine);
if (NAME === undefined) throw new Error(`\`--engine\` is one of ${MEASURED_ENGINES.join(', ')}, not ${values.engine}`);
const [MILLIONS, RULES] = [values.millions, values.rules].map(list => list.split(',').map(Number)) as [
  number[],
  number[],
];
const SHAPE = { others: Number(values.others), isRepeating: values.repeating };
const COMPARED = 200_000;

/** Medians. */
interface Figures {
  /** Processor time in seconds. */
  readonly engine: number;
  readonly command: number;
  readonly megabytes: number;
  /** Between them, in MB. */
  readonly traffic: number;
  readonly seconds: number;
}

requireBundle();
const engine = await engineUnderTest(NAME);
if (engine === undefined) throw new Error(`${NAME} is not installed, or its environment variable is not set`);
const proxy = await countingProxy(engine.url);
const folder = mkdtempSync(join(tmpdir(), 'tollgate-scan-'));
const policyOf = (rules: number) => join(folder, `rules-${rules}.json`);
for (const rules of RULES)
  writeFileSync(policyOf(rules), JSON.stringify(rules === 1000 ? largePolicy() : REPLAY_POLICY));

const replay = (rules: number, ...place: readonly string[]) =>
  runOnce({ command: tollgate('replay', '--format', 'json', '--top', values.top, policyOf(rules), ...place) });
const replayThere = (rules: number, { name, table }: EngineUnderTest) =>
  replay(rules, '--engine', name, '--connect', proxy.url, '--table', table);

/** Without the names of inputs and places of examples. */
function figuresIn(output: string): unknown {
  const text = JSON.stringify(JSON.parse(output), (name, value) =>
    ['files', 'inputs', 'first', 'engine', 'place', 'number', 'unit', 'file'].includes(name) ? undefined : value,
  );
  return JSON.parse(text);
}

async function compare(there: EngineUnderTest): Promise<void> {
  await there.fill(COMPARED, SHAPE);
  const file = join(folder, 'traffic.jsonl');
  writeFileSync(file, await there.lines());
  for (const rules of RULES) {
    const expected = await replay(rules, '--engine', 'js', file);
    const found = await replayThere(rules, there);
    if (!isDeepStrictEqual(figuresIn(found.output), figuresIn(expected.output)))
      throw new Error(`the figures of ${rules} rules differ from those in process`);
  }
  console.log(`${there.name}, ${COMPARED} rows: the figures are those of a replay in process`);
}

async function measure(there: EngineUnderTest, rules: number): Promise<Figures> {
  const before = { bytes: proxy.bytes(), time: there.time() };
  const { cpu, megabytes, seconds } = await replayThere(rules, there);
  const traffic = (proxy.bytes() - before.bytes) / 1e6;
  return { engine: there.time() - before.time, command: cpu, megabytes, traffic, seconds };
}

function middle(all: readonly Figures[]): Figures {
  const of = (figure: keyof Figures) => median(all.map(one => one[figure]));
  return {
    ...{ engine: of('engine'), command: of('command'), megabytes: of('megabytes') },
    ...{ traffic: of('traffic'), seconds: of('seconds') },
  };
}

function shown({ engine: spent, command, megabytes, traffic, seconds }: Figures): string {
  return `engine ${spent.toFixed(1)} s, command ${command.toFixed(1)} s and ${megabytes.toFixed(0)} MB, ${traffic.toFixed(1)} MB in between, ${seconds.toFixed(1)} s in all`;
}

try {
  await compare(engine);
  for (const millions of MILLIONS) {
    await engine.fill(millions * 1_000_000, SHAPE);
    const found = RULES.map((): Figures[] => []);
    for (let round = 0; round < Number(values.rounds); round++)
      for (const [at, rules] of RULES.entries()) {
        const figures = await measure(engine, rules);
        found[at]!.push(figures);
        console.log(`  ${millions} M rows, ${rules} rules: ${shown(figures)}`);
      }
    const medians = found.map(middle);
    for (const [at, figures] of medians.entries())
      console.log(
        `${engine.name}, ${millions} M rows, ${RULES[at]} rules, top ${values.top}: ${shown(figures)}; ${(figures.engine / millions).toFixed(2)} s of the engine per million rows`,
      );
    if (medians.length === 2) {
      const ratio = (figure: 'engine' | 'command') => (medians[1]![figure] / medians[0]![figure]).toFixed(2);
      console.log(`${RULES.join(' to ')} rules: engine × ${ratio('engine')}, command × ${ratio('command')}`);
    }
  }
} finally {
  proxy.close();
  await engine.stop();
  rmSync(folder, { recursive: true });
}
