// Both servers run as processes, on the same 2,000 rules and the same typing session, as they would under an editor.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MODERN } from '@tollgate/catalog';
import { policySchema } from '@tollgate/policy';
import { bundleCommand } from '../../scripts/bundle-command.ts';
import { LanguageClient } from './language-server/language-client.ts';
import { FIRST_LINE, isBroken, LONG_POLICY, SESSION, stateAfter } from './language-server/typing-session.ts';

interface Contestant {
  readonly name: string;
  readonly command: readonly string[];
  readonly text: string;
  /** Settings of the section `yaml`. */
  readonly settings: object | undefined;
}

/** Times in ms, memory in MiB. */
interface Measured {
  readonly start: number;
  readonly open: number;
  readonly keys: readonly number[];
  readonly completion: readonly number[];
  readonly hover: readonly number[];
  readonly format: number;
  readonly rss: number;
  readonly heap: number;
}

const URI = 'file:///w/policy.yaml';
const directory = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));

async function measure({ command, text, settings }: Contestant): Promise<Measured> {
  const [starts, opens]: [number[], number[]] = [[], []];
  for (let round = 0; round < 5; round += 1) {
    const { client, took } = await LanguageClient.start(command, settings);
    starts.push(took);
    opens.push(await timeToOpen(client, text));
    await client.end();
  }
  const { client } = await LanguageClient.start(command, settings);
  await client.open(URI, text);
  const [keys, completion, hover]: [number[], number[], number[]] = [[], [], []];
  // V8 compiles during the first line, as in the first minute of work.
  for (const [index, { edit, pause, position }] of [...SESSION.slice(0, FIRST_LINE), ...SESSION].entries()) {
    const key = await client.change(URI, edit);
    const isMeasured = index >= FIRST_LINE;
    if (isMeasured) keys.push(key);
    if (index % 3 === 0) {
      const asked = performance.now();
      await client.request('textDocument/completion', { textDocument: { uri: URI }, position });
      const pointed = performance.now();
      await client.request('textDocument/hover', { textDocument: { uri: URI }, position });
      if (isMeasured) {
        completion.push(pointed - asked);
        hover.push(performance.now() - pointed);
      }
    }
    await new Promise(resolve => setTimeout(resolve, pause));
  }
  const rss = client.rss();
  const heap = await client.heap();
  const formatted = performance.now();
  const options = { tabSize: 2, insertSpaces: true };
  await client.request('textDocument/formatting', { textDocument: { uri: URI }, options });
  const format = performance.now() - formatted;
  await client.end();
  return { start: percentile(starts, 0.5), open: percentile(opens, 0.5), keys, completion, hover, format, rss, heap };
}

async function timeToOpen(client: LanguageClient, text: string): Promise<number> {
  const started = performance.now();
  await client.open(URI, text);
  return performance.now() - started;
}

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? Number.NaN;
}

/** The command as it is published: without the sources next to it. */
async function publishedCommand(): Promise<string> {
  const cli = new URL('../../packages/cli/', import.meta.url).pathname;
  mkdirSync(join(directory, 'bin'));
  copyFileSync(join(cli, 'bin/tollgate.js'), join(directory, 'bin/tollgate.js'));
  await bundleCommand(join(directory, 'dist/bundle'));
  return join(directory, 'bin/tollgate.js');
}

function rowsOf(one: Measured): readonly (readonly [string, number])[] {
  return [
    ['start to `initialized`', one.start],
    ['opening to diagnostics', one.open],
    ['keystroke to diagnostics, p50', percentile(one.keys, 0.5)],
    ['keystroke to diagnostics, p95', percentile(one.keys, 0.95)],
    ['completion, p95', percentile(one.completion, 0.95)],
    ['hover, p95', percentile(one.hover, 0.95)],
    ['formatting', one.format],
    ['resident memory (MiB)', one.rss],
    ['heap after collection (MiB)', one.heap],
  ];
}

const schema = join(directory, 'policy.schema.json');
writeFileSync(schema, JSON.stringify(policySchema(MODERN)));
const ours = [process.execPath, await publishedCommand(), 'lsp', '--stdio'];
const require = createRequire(import.meta.url);
const other = [process.execPath, require.resolve('yaml-language-server/bin/yaml-language-server'), '--stdio'];
const settings = {
  validate: true,
  hover: true,
  completion: true,
  schemas: { [`file://${schema}#/definitions/http-endpoint`]: '*.yaml' },
};
const contestants: readonly Contestant[] = [
  { name: 'tollgate', command: ours, text: LONG_POLICY, settings: undefined },
  { name: 'tollgate, CR LF', command: ours, text: LONG_POLICY.replaceAll('\n', '\r\n'), settings: undefined },
  { name: 'yaml-language-server', command: other, text: LONG_POLICY, settings },
];

const broken = SESSION.filter((_, index) => isBroken(stateAfter(index))).length;
console.log(
  `2,000 rules, ${LONG_POLICY.length >> 10} KiB; ${SESSION.length} keystrokes, ${broken} of them leave it broken`,
);
const results: (readonly (readonly [string, number])[])[] = [];
for (const contestant of contestants) {
  const rows = rowsOf(await measure(contestant));
  results.push(rows);
  console.log(`${contestant.name}: ${rows.map(([name, value]) => `${name} ${shown(value)}`).join('; ')}`);
}
rmSync(directory, { recursive: true, force: true });

const [first = [], second = [], third = []] = results;
const titles = ['tollgate', 'CR LF', 'ratio', 'yaml-language-server', 'ratio'];
console.log(`${''.padEnd(32)}${titles.map(one => one.padStart(22)).join('')}`);
for (const [index, [name, value]] of first.entries()) {
  const [crlf, theirs] = [second[index]![1], third[index]![1]];
  const cells = [shown(value), shown(crlf), (crlf / value).toFixed(2), shown(theirs), (theirs / value).toFixed(1)];
  console.log(`${name.padEnd(32)}${cells.map(one => one.padStart(22)).join('')}`);
}

function shown(value: number): string {
  return value.toFixed(value < 20 ? 1 : 0);
}
