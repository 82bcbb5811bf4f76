import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { runCaptured } from '@tollgate/cli';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-nothing-'));
afterAll(() => rmSync(folder, { recursive: true }));

const POLICY = 'examples/policies/bookshop.yaml';
const LOG = 'examples/traffic/access.log';

function fileOf(name: string, content: string | Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const FIXABLE = fileOf(
  'policy.yaml',
  'inbound:\n  - expressions: ["req.Path.matches(\'^/admin.php$\')"]\n    actions: [{ type: deny }]\n',
);

/** Every command that reads traffic. */
const COMMANDS: readonly [string, (file: string) => readonly string[]][] = [
  ['replay', file => ['replay', POLICY, file]],
  ['replay --edge', file => ['replay', '--edge', 'examples/edges/bookshop.json', file]],
  ['replay to a file', file => ['replay', '-f', `json=${join(folder, 'report.json')}`, POLICY, file]],
  ['replay as ndjson', file => ['replay', '-f', 'ndjson', POLICY, file]],
  ['impact', file => ['impact', POLICY, 'examples/policies/block-bots.yaml', file]],
  ['record', file => ['record', POLICY, file]],
  ['snapshot', file => ['snapshot', '--update', '--file', join(folder, 'kept.snapshot'), POLICY, file]],
  ['lint --traffic', file => ['lint', '--fix-dry-run', '--unsafe-fixes', FIXABLE, '--traffic', file]],
];

const WITHOUT: readonly [string, string, RegExp][] = [
  [
    'is empty',
    fileOf('empty.log', ''),
    /^tollgate: no exchange in `\S+empty\.log`: it has no records; use `--allow-empty` if that is expected\n$/,
  ],
  ['is a compressed file that is empty', fileOf('empty.log.gz', gzipSync('')), /: it has no records; /],
  ['has only comments', fileOf('iis.log', '#Version: 1.0\n#Fields: cs-method cs-uri\n'), /: it has no records; /],
  [
    'contains no records',
    fileOf('skipped.jsonl', '{"a": 1}\n{"b": 2}\n'),
    /: all 2 records were skipped \(`\S+skipped\.jsonl:1`: no known field\); use `--allow-empty`/,
  ],
  [
    'contains many lines that are no records',
    fileOf('many.jsonl', '{"a": 1}\n'.repeat(30_000)),
    /: all 30,000 records were skipped \(`\S+many\.jsonl:1`: no known field\)/,
  ],
  [
    'has only connections without a request',
    fileOf('scan.log', '192.0.2.1 - - [21/Nov/2026:10:00:00 +0000] "-" 408 0\n'),
    /: its only record was skipped \(`\S+scan\.log:1`: no HTTP request received\)/,
  ],
];

describe.each(COMMANDS)('%s', (_, argsOf) => {
  it.each(WITHOUT)('fails with one line if the traffic %s', async (_case, file, message) => {
    const { code, errors } = await runCaptured(argsOf(file));
    const lines = errors.split('\n').filter(line => line.includes('no exchange in'));
    expect([code, lines.length]).toEqual([1, 1]);
    expect(`${lines[0]}\n`).toMatch(message);
  });

  it('succeeds if that is expected', async () => {
    const { code, errors } = await runCaptured([...argsOf(WITHOUT[0]![1]), '--allow-empty']);
    expect(errors).not.toContain('no exchange in');
    expect(code).toBe(argsOf('').includes('lint') ? (await runCaptured(argsOf(LOG))).code : 0);
  });
});

it('claims nothing about a change without an exchange', async () => {
  const policies = ['examples/policies/bookshop.yaml', 'examples/policies/block-bots.yaml'];
  const { output } = await runCaptured(['impact', ...policies, WITHOUT[0]![1], '--allow-empty']);
  expect(output).toMatch(/: no exchange to compare\n/);
});

it('names the column in which lines deviate from the given format', async () => {
  const file = fileOf('named.log', '192.0.2.1 - - [21/Nov/2026:10:00:00 +0000] GET / 200\n');
  const named = await runCaptured(['replay', POLICY, file, '--traffic-format', 'access-log']);
  expect([named.code, named.errors]).toEqual([
    1,
    expect.stringContaining('at column 44, expected a request in quotes'),
  ]);
  const logFormat = '$remote_addr - $remote_user [$time_local] "$request" $status';
  const written = await runCaptured(['replay', POLICY, file, '--log-format', logFormat]);
  expect([written.code, written.errors]).toEqual([
    1,
    expect.stringContaining('at column 16, expected `$time_local` and then `] "`, found `21/Nov/2026'),
  ]);
});

it('fails if every record of one file was skipped, but not if one of several files is empty', async () => {
  const [empty, skipped] = [WITHOUT[0]![1], WITHOUT[3]![1]];
  expect(await runCaptured(['replay', POLICY, LOG, empty])).toMatchObject({ code: 0, errors: '' });
  const { code, errors } = await runCaptured(['replay', POLICY, LOG, skipped]);
  expect([code, errors]).toEqual([
    1,
    expect.stringMatching(/^tollgate: no exchange in `\S+skipped\.jsonl`: all 2 records/),
  ]);
});

it('fails to trace a request of traffic without any', async () => {
  for (const [, file, message] of WITHOUT) {
    const { code, output, errors } = await runCaptured(['trace', POLICY, '--request', file]);
    expect([code, output]).toEqual([1, '']);
    expect(errors).toMatch(message);
  }
});
