import { describe, expect, it } from 'vitest';
import { ANSI, choosePaint, WITHOUT_COLORS } from '../code-frame.ts';
import type { Diagnostic } from '../diagnostic.ts';
import { SourceText } from '../source-text.ts';
import { jsonReport } from './json-reports.ts';
import { summaryLine } from './report.ts';
import { textReport } from './text-reports.ts';

const A = new SourceText('a.yaml', 'x: 1\ny: 2\nx: 3\n');
const B = new SourceText('b.yaml', 'z: \u001b\n');

const DUPLICATE: Diagnostic = {
  code: 'yaml/duplicate-key',
  severity: 'error',
  message: '`x` is given twice',
  uri: 'a.yaml',
  range: { start: 10, end: 11 },
  args: { key: 'x' },
  related: [{ uri: 'a.yaml', range: { start: 0, end: 1 }, message: 'first given here' }],
  fixes: [
    {
      title: 'remove the second',
      applicability: 'suggestion',
      edits: [{ range: { start: 10, end: 15 }, newText: '' }],
    },
  ],
};
const ODD: Diagnostic = {
  code: 'yaml/odd',
  severity: 'warning',
  message: '`\u001b` is odd',
  uri: 'b.yaml',
  range: { start: 3, end: 4 },
  args: {},
};

describe('textReport', () => {
  it('shows files below the working directory relative to it, and others as they are named', () => {
    const firstLines = ['/srv/site/a.yaml', '/srv/sites/a.yaml', './a.yaml'].map(uri => {
      const report = { sources: [new SourceText(uri, A.text)], diagnostics: [{ ...DUPLICATE, uri, related: [] }] };
      return textReport(report, { directory: '/srv/site' }).split('\n')[1];
    });
    expect(firstLines).toEqual([' --> a.yaml:3:1', ' --> /srv/sites/a.yaml:3:1', ' --> ./a.yaml:3:1']);
  });

  it('shows diagnostics in the order of the sources, with related locations, fixes and a summary', () => {
    expect(
      textReport({ sources: [A, B], diagnostics: [ODD, DUPLICATE] }),
    ).toBe(`error[yaml/duplicate-key]: \`x\` is given twice
 --> a.yaml:3:1
  |
3 | x: 3
  | ^
note: first given here
 --> a.yaml:1:1
  |
1 | x: 1
  | ^
help: remove the second

warning[yaml/odd]: \`␛\` is odd
 --> b.yaml:1:4
  |
1 | z: ␛
  |    ^

1 error, 1 warning in 2 files
`);
  });

  it.each([
    [[], [A], 'no problems in 1 file'],
    [[DUPLICATE, DUPLICATE, ODD], [A, B], '2 errors, 1 warning in 2 files'],
    [[{ ...ODD, severity: 'info' as const }], [A, B], '1 info in 2 files'],
  ])('counts %#', (diagnostics, sources, expected) => {
    expect(summaryLine({ diagnostics, sources })).toBe(expected);
  });

  it('uses colours on request', () => {
    expect(textReport({ sources: [B], diagnostics: [ODD] }, { paint: ANSI })).toContain(
      '\u001b[1;33mwarning[yaml/odd]\u001b[0m',
    );
  });
});

describe('choosePaint', () => {
  it.each([
    [true, {}, ANSI],
    [false, {}, WITHOUT_COLORS],
    [true, { TERM: 'dumb' }, WITHOUT_COLORS],
    [true, { NO_COLOR: '1' }, WITHOUT_COLORS],
    [true, { NO_COLOR: '' }, ANSI],
    [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, ANSI],
    [true, { FORCE_COLOR: '0' }, WITHOUT_COLORS],
    [false, { CLICOLOR_FORCE: '1' }, ANSI],
    [false, { CLICOLOR_FORCE: '1', TERM: 'dumb' }, ANSI],
    [false, { CLICOLOR_FORCE: '0' }, WITHOUT_COLORS],
    [false, { CLICOLOR_FORCE: '' }, WITHOUT_COLORS],
    [true, { CLICOLOR_FORCE: '1', NO_COLOR: '1' }, WITHOUT_COLORS],
    [true, { CLICOLOR: '0' }, WITHOUT_COLORS],
    [true, { CLICOLOR: '1' }, ANSI],
    [false, { CLICOLOR: '1' }, WITHOUT_COLORS],
    [true, { FORCE_COLOR: 'false', CLICOLOR_FORCE: '1' }, WITHOUT_COLORS],
  ])('for a terminal %s and %j', (isTerminal, env, expected) => {
    expect(choosePaint(isTerminal, env)).toBe(expected);
  });
});

describe('jsonReport', () => {
  it('adds lines and columns to every range', () => {
    const report = JSON.parse(jsonReport({ sources: [A], diagnostics: [DUPLICATE] }));
    const range = { start: 10, end: 11, from: { line: 2, character: 0 }, to: { line: 2, character: 1 } };
    expect(report).toMatchObject({ version: 1, files: ['a.yaml'], counts: { error: 1, warning: 0, info: 0, hint: 0 } });
    expect(report.diagnostics).toHaveLength(1);
    expect(report.diagnostics[0]).toMatchObject({
      code: 'yaml/duplicate-key',
      uri: 'a.yaml',
      range,
      args: { key: 'x' },
    });
    expect(report.diagnostics[0].related[0].range.from).toEqual({ line: 0, character: 0 });
    expect(report.diagnostics[0].fixes[0].edits[0].range.to).toEqual({ line: 3, character: 0 });
  });
});
