import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCaptured } from '@tollgate/cli';
import { displayWidth } from '@tollgate/diagnostics';
import type { EdgeReplaySummary, ReplaySummary } from '@tollgate/simulator';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

// From the root of the repository, where tests run: reports name files as given, and must fit a terminal.
const LOG = 'examples/traffic/access.log';
const HAR = 'examples/traffic/browse.har';
const POLICY = 'examples/policies/bookshop.yaml';
const EDGE = 'examples/edges/bookshop.json';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-'));
});

afterEach(() => rmSync(directory, { recursive: true }));

function replay(args: readonly string[], terminal: { columns?: number; errorColumns?: number } = {}) {
  const given = args.map(arg => arg.replace('~', directory));
  const isInteractive = terminal.columns !== undefined;
  return runCaptured(['replay', ...given], { isInteractive, env: { NO_COLOR: '1' }, ...terminal });
}

interface Line {
  readonly kind: string;
  readonly route?: { readonly match: string } | null;
  readonly outcomes: readonly { readonly kind: string; readonly status?: number }[];
  readonly rules: readonly { readonly rule: string; readonly status: string }[];
  readonly actions: readonly { readonly rule: string; readonly type: string; readonly result: string }[];
}

function linesOf(text: string): readonly Line[] {
  return text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
}

function read(name: string): string {
  return readFileSync(join(directory, name), 'utf8');
}

describe('the reports of a replay', () => {
  it('are written to several files and standard output at once, all with the same figures', async () => {
    const files = ['json=~/deep/a.json', 'ndjson=~/a.ndjson', 'csv=~/a.csv', 'markdown=~/a.md', 'text=~/a.txt'];
    const formats = files.flatMap(file => ['-f', file]);
    const { code, output, errors } = await replay([...formats, '-f', 'text', POLICY, LOG, HAR]);
    expect([code, errors]).toEqual([0, '']);
    expect(readdirSync(directory).sort()).toEqual(['a.csv', 'a.md', 'a.ndjson', 'a.txt', 'deep']);
    expect(output).toBe(read('a.txt'));
    const summary: ReplaySummary = JSON.parse(read('deep/a.json'));
    const rows = read('a.csv').trimEnd().split('\r\n').slice(1);
    expect(rows.map(row => Number(row.split(',')[4]))).toEqual(summary.rules.map(({ matched }) => matched));
    expect(read('a.md')).toContain(`on ${summary.exchanges} exchanges`);
    const { kind, ...last } = JSON.parse(read('a.ndjson').trimEnd().split('\n').at(-1)!);
    expect([kind, last]).toEqual(['summary', summary]);
  });

  it('contain each decision as JSON lines, which add up to the summary', async () => {
    const { output } = await replay(['-f', 'ndjson', POLICY, LOG, HAR]);
    const lines = linesOf(output);
    const summary: ReplaySummary = JSON.parse(output.trimEnd().split('\n').at(-1)!);
    const decisions = lines.slice(0, -1);
    expect([decisions.length, new Set(decisions.map(({ kind }) => kind))]).toEqual([280, new Set(['decision'])]);
    const count = (rule: string, status: string) =>
      decisions.filter(({ rules }) => rules.some(one => one.rule === rule && one.status === status)).length;
    for (const rule of summary.rules) {
      const label = `${rule.phase} ${rule.index + 1}`;
      const told = [count(label, 'matched'), count(label, 'undetermined'), count(label, 'failed')];
      expect([label, ...told]).toEqual([label, rule.matched, rule.undetermined, rule.failed]);
      const fired = decisions
        .flatMap(({ actions }) => actions)
        .filter(one => one.rule === label && one.result === 'fired');
      expect(fired.length).toBe(rule.actions.reduce((sum, one) => sum + one.fired.least, 0));
    }
    for (const { outcome, count: bounds } of summary.outcomes) {
      const which = decisions.filter(({ outcomes }) =>
        outcomes.some(({ kind, status }) => kind === outcome.kind && status === outcome.status),
      );
      expect([which.filter(({ outcomes }) => outcomes.length === 1).length, which.length]).toEqual([
        bounds.least,
        bounds.most,
      ]);
    }
    expect(decisions[0]).toEqual({
      kind: 'decision',
      place: { file: LOG, number: 1, unit: 'line' },
      time: 1795223276000,
      client: '203.0.113.20',
      method: 'GET',
      path: '/',
      target: '/',
      outcomes: [{ kind: 'passed' }],
      rules: [{ rule: 'outbound 2', status: 'matched' }],
      actions: [{ rule: 'outbound 2', type: 'remove-headers', result: 'fired' }],
    });
  });

  it('contain the route of each decision of an edge', async () => {
    const { output } = await replay(['-f', 'ndjson', '--edge', EDGE, '--origin', 'https://books.example', LOG]);
    const lines = linesOf(output);
    const summary: EdgeReplaySummary = JSON.parse(output.trimEnd().split('\n').at(-1)!);
    for (const { route, exchanges } of summary.routes)
      expect(lines.filter(line => line.route?.match === route.match).length).toBe(exchanges);
    expect(lines.find(({ rules }) => rules?.some(({ rule }) => rule === 'inbound 1'))).toBeDefined();
  });

  it.each([80, 100, 200])('fit a terminal of %i columns', async columns => {
    const policy = await replay([POLICY, LOG, HAR], { columns });
    const edge = await replay(['--edge', EDGE, LOG], { columns });
    const lines = `${policy.output}${edge.output}`.split('\n');
    expect(lines.filter(line => displayWidth(line) > columns)).toEqual([]);
    expect(policy.output).toContain('\n  over time  2026-11-21 01:07:56.000 – 01:08:00.');
  });

  it('list as many keys as requested', async () => {
    const keys = async (top: string) => {
      const { output } = await replay(['--top', top, '-f', 'json', '--absent', '-', POLICY, LOG]);
      const { rules }: NonNullable<ReplaySummary['breakdown']> = JSON.parse(output).breakdown;
      return rules.map(rule => rule.keys?.paths.top.length);
    };
    expect([await keys('0'), await keys('2')]).toEqual([Array(8).fill(undefined), [2, 2, 2, 0, 1, 2, 2, 2]]);
    expect((await replay(['--top', '0', POLICY, LOG])).output).not.toContain('most frequent matches');
    expect((await replay(['--top', '101', POLICY, LOG])).errors).toContain('expected a whole number from 0 to 100');
  });

  it('make control characters visible', async () => {
    const line = (path: string) => `::1 - - [21/Nov/2026:01:07:56 +0000] "GET ${path} HTTP/1.1" 200 5 "-" "x"\n`;
    const paths = ['/\\x1b[31mred', '/%1b]0;title', '/\u202egnp.exe', '/a\\x0d\\x0ab'];
    writeFileSync(join(directory, 'a.log'), paths.map(line).join(''));
    const name = JSON.stringify('a\u001b[2J\r');
    writeFileSync(join(directory, 'p.yaml'), `inbound: [{name: ${name}, actions: [{type: log}]}]`);
    const { output, errors } = await replay(['--top', '9', '~/p.yaml', '~/a.log']);
    expect([errors, [...output].filter(one => /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/.test(one))]).toEqual([
      '',
      [],
    ]);
    expect(output).toContain('a␛[2J␍');
    expect(output).toContain('/␛[31mred (1), /%1b]0;title (1), /a␍␊b (1), /�gnp.exe (1)');
  });

  it('leave out warnings with `--quiet`', async () => {
    writeFileSync(
      join(directory, 'p.yaml'),
      "inbound:\n  - expressions: [int('x') == 1]\n    actions: [{type: deny}]\n",
    );
    expect((await replay(['~/p.yaml', LOG])).output).toMatch(/^warning/);
    expect((await replay(['-q', '~/p.yaml', LOG])).output).not.toContain('warning');
  });

  it('report policies with errors in the formats that can, and write no other', async () => {
    writeFileSync(join(directory, 'p.yaml'), 'inbund: []\n');
    const { code, output, errors } = await replay(['-f', 'csv=~/a.csv', '-f', 'json=~/a.json', '~/p.yaml', LOG]);
    expect([code, output, errors]).toEqual([1, '', '']);
    expect(JSON.parse(read('a.json')).diagnostics[0].code).toBe('policy/unknown-key');
    expect(existsSync(join(directory, 'a.csv'))).toBe(false);
    const alone = await replay(['-f', 'csv', '~/p.yaml', LOG]);
    expect([alone.code, alone.output, alone.errors]).toEqual([1, '', expect.stringContaining('policy/unknown-key')]);
  });

  it('leave nothing behind if a record that cannot be read stops the replay', async () => {
    writeFileSync(join(directory, 'a.log'), `${readFileSync(LOG, 'utf8')}broken\n`);
    const args = ['--strict', '--traffic-format', 'access-log', '-f', 'ndjson=~/a.ndjson', POLICY, LOG, '~/a.log'];
    const { code, output } = await replay(args);
    expect([code, output, readdirSync(directory)]).toEqual([1, '', ['a.log']]);
  });

  it('that cannot be written end with exit code 3, and do not stop the others', async () => {
    writeFileSync(join(directory, 'file'), 'x');
    const formats = ['-f', 'csv', '-f', 'ndjson=~/file/a.ndjson', '-f', 'json=~/file/a.json'];
    const { code, output, errors } = await replay([...formats, POLICY, LOG]);
    expect([code, output.split('\r\n').length, errors.match(/cannot write/g)?.length]).toEqual([3, 10, 2]);
  });
});
