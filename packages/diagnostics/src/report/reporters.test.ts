import { describe, expect, it } from 'vitest';
import type { CodeDescription, Diagnostic } from '../diagnostic.ts';
import { ExternalError } from '../errors.ts';
import { SourceText } from '../source-text.ts';
import type { Report, ReportFormat, ReportOptions } from './report.ts';
import { REPORTERS } from './reporters.ts';

const A = new SourceText('/srv/site/a b.yaml', 'x: 1\n𐐀é: 2\n');
const B = new SourceText('./b.yaml', 'z: 1\n');

const TWICE: Diagnostic = {
  code: 'yaml/duplicate-key',
  severity: 'error',
  message: '`𐐀é` is given twice, 100%: no',
  uri: A.uri,
  range: { start: 8, end: 9 },
  args: { key: 'x' },
  related: [{ uri: A.uri, range: { start: 0, end: 1 }, message: 'first given here' }],
  fixes: [
    {
      title: 'use `y`',
      applicability: 'suggestion',
      edits: [
        { range: { start: 11, end: 12 }, newText: '3' },
        { range: { start: 5, end: 8 }, newText: 'y' },
      ],
    },
  ],
};
const ODD: Diagnostic = {
  code: 'yaml/odd',
  severity: 'warning',
  message: 'odd',
  uri: B.uri,
  range: { start: 0, end: 1 },
  args: {},
  fixes: [{ title: 'quote', applicability: 'safe', edits: [{ range: { start: 0, end: 0 }, newText: '"' }] }],
};
const RULE: CodeDescription = {
  code: 'yaml/odd',
  severity: 'warning',
  summary: 'something odd',
  rationale: 'It is odd.',
  remedy: 'Make it even.',
};
const REPORT: Report = {
  sources: [A, B],
  diagnostics: [ODD, TWICE],
  suppressed: [{ diagnostic: { ...ODD, range: { start: 3, end: 4 } }, by: 'comment', reason: 'known' }],
  failures: [new ExternalError('file/unreadable', 'cannot read `c.yaml`: no such file')],
  rules: [RULE],
};
const OPTIONS: ReportOptions = { directory: '/srv/site', version: '1.2.3', docsUrl: 'https://docs.test/ref/' };

function write(format: ReportFormat, report = REPORT, options = OPTIONS): string {
  return REPORTERS[format](report, options);
}

describe('compact', () => {
  it('writes a line for each finding, as compilers do', () => {
    expect(write('compact')).toBe(
      'a b.yaml:2:3: error: `𐐀é` is given twice, 100%: no [yaml/duplicate-key]\n' +
        'b.yaml:1:1: warning: odd [yaml/odd]\n' +
        '1 error, 1 warning in 2 files (1 suppressed)\n',
    );
  });

  it('adds counts by code on request', () => {
    expect(write('compact', REPORT, { statistics: true })).toContain(
      '\n1 error   yaml/duplicate-key  in 1 file\n1 warning yaml/odd            in 1 file, 1 fixable\n\n',
    );
  });
});

describe('ndjson', () => {
  it('writes a line for each finding, and a last one with the counts', () => {
    const lines = write('ndjson')
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line));
    expect(lines.map(({ kind, code, uri }) => [kind, code, uri])).toEqual([
      ['diagnostic', 'yaml/duplicate-key', 'a b.yaml'],
      ['diagnostic', 'yaml/odd', 'b.yaml'],
      ['suppressed', undefined, undefined],
      ['summary', undefined, undefined],
    ]);
    expect(lines[2]).toMatchObject({ by: 'comment', reason: 'known', diagnostic: { uri: 'b.yaml' } });
    expect(lines[3]).toEqual({
      kind: 'summary',
      version: 1,
      files: ['a b.yaml', 'b.yaml'],
      counts: { error: 1, warning: 1, info: 0, hint: 0 },
      failures: [{ code: 'file/unreadable', message: 'cannot read `c.yaml`: no such file' }],
    });
  });
});

describe('github', () => {
  it('writes workflow commands, with columns if the range is on one line', () => {
    const long = { ...ODD, severity: 'hint' as const, range: { start: 0, end: 5 }, fixes: [] };
    expect(write('github', { ...REPORT, diagnostics: [TWICE, long] })).toBe(
      '::error title=file/unreadable::cannot read `c.yaml`: no such file\n' +
        '::error file=a b.yaml,line=2,endLine=2,col=3,endColumn=4,title=yaml/duplicate-key::`𐐀é` is given twice, 100%25: no%0Ahelp: use `y`\n' +
        '::notice file=b.yaml,line=1,endLine=2,title=yaml/odd::odd\n',
    );
  });

  it('writes as many annotations as GitHub shows, the most severe first, and counts the others', () => {
    const hints = Array.from({ length: 12 }, () => ({ ...ODD, severity: 'hint' as const }));
    const lines = write('github', { ...REPORT, failures: [], diagnostics: [...hints, TWICE] }).split('\n');
    expect(lines.map(line => line.slice(0, 8))).toEqual(['::error ', ...Array(9).fill('::notice'), '3 more f', '']);
  });
});

describe('markdown', () => {
  it('writes a table of counts and one of findings', () => {
    expect(write('markdown')).toBe(
      [
        '### Tollgate: 1 error, 1 warning in 2 files (1 suppressed)',
        '❌ cannot read &#96;c.yaml&#96;&#58; no such file',
        [
          '|  | code | findings | files | fixable |',
          '| --- | --- | --- | --- | --- |',
          '| ❌ error | [<code>yaml/duplicate&#45;key</code>](https://docs.test/ref/yaml.md#yamlduplicate-key) | 1 | 1 | 0 |',
          '| ⚠️ warning | [<code>yaml/odd</code>](https://docs.test/ref/yaml.md#yamlodd) | 1 | 1 | 1 |',
        ].join('\n'),
        [
          '|  | place | finding | code |',
          '| --- | --- | --- | --- |',
          '| ❌ | <code>a b.yaml&#58;2&#58;3</code> | <code>𐐀é</code> is given twice, 100%&#58; no | <code>yaml/duplicate&#45;key</code> |',
          '| ⚠️ | <code>b.yaml&#58;1&#58;1</code> | odd | <code>yaml/odd</code> |\n',
        ].join('\n'),
      ].join('\n\n'),
    );
  });

  it('lists no more than a summary can hold', () => {
    const many = Array.from({ length: 500 }, () => ODD);
    const text = write('markdown', { ...REPORT, diagnostics: many });
    expect(text).toMatch(/… and 300 more\n$/);
    expect(text.match(/b\.yaml/g)).toHaveLength(200);
  });
});

describe('gitlab', () => {
  it('writes the format of merge requests', () => {
    expect(JSON.parse(write('gitlab'))).toEqual([
      {
        description: '`𐐀é` is given twice, 100%: no',
        check_name: 'yaml/duplicate-key',
        fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
        severity: 'major',
        location: { path: 'a b.yaml', lines: { begin: 2, end: 2 } },
      },
      {
        description: 'odd',
        check_name: 'yaml/odd',
        fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
        severity: 'minor',
        location: { path: 'b.yaml', lines: { begin: 1, end: 1 } },
      },
    ]);
    expect(write('gitlab', { sources: [], diagnostics: [] })).toBe('[]\n');
  });
});

describe('rdjson', () => {
  it('counts columns in UTF-8 bytes, and combines the edits of a fix into one suggestion', () => {
    const { source, diagnostics } = JSON.parse(write('rdjson'));
    expect(source).toEqual({ name: 'tollgate' });
    expect(diagnostics[0]).toEqual({
      message: '`𐐀é` is given twice, 100%: no',
      location: {
        path: 'a b.yaml',
        range: { start: { line: 2, column: 7 }, end: { line: 2, column: 8 } },
      },
      severity: 'ERROR',
      code: { value: 'yaml/duplicate-key', url: 'https://docs.test/ref/yaml.md#yamlduplicate-key' },
      suggestions: [{ range: { start: { line: 2, column: 1 }, end: { line: 3, column: 1 } }, text: 'y: 23' }],
      related_locations: [
        {
          message: 'first given here',
          location: { path: 'a b.yaml', range: { start: { line: 1, column: 1 }, end: { line: 1, column: 2 } } },
        },
      ],
    });
  });

  it('writes the same as lines', () => {
    const lines = write('rdjsonl')
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line));
    const { source, diagnostics } = JSON.parse(write('rdjson'));
    expect(lines).toEqual(diagnostics.map((diagnostic: object) => ({ ...diagnostic, source })));
  });
});

describe('checkstyle', () => {
  it('lists every file with its findings', () => {
    expect(write('checkstyle')).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<checkstyle version="4.3">
  <file name="a b.yaml">
    <error line="2" column="3" severity="error" message="\`𐐀é\` is given twice, 100%: no" source="yaml/duplicate-key"/>
  </file>
  <file name="b.yaml">
    <error line="1" column="1" severity="warning" message="odd" source="yaml/odd"/>
  </file>
</checkstyle>
`);
  });
});

describe('junit', () => {
  it('has a suite for each file, and a failure for each finding that makes the command fail', () => {
    const C = new SourceText('c.yaml', '');
    expect(write('junit', { ...REPORT, sources: [A, B, C] })).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="tollgate" tests="5" failures="1" errors="1">
  <testsuite name="a b.yaml" tests="1" failures="1" errors="0" skipped="0">
    <testcase name="yaml/duplicate-key 2:3" classname="a b.yaml" file="a b.yaml" line="2">
      <failure type="yaml/duplicate-key" message="\`𐐀é\` is given twice, 100%: no">a b.yaml:2:3: error: \`𐐀é\` is given twice, 100%: no</failure>
    </testcase>
  </testsuite>
  <testsuite name="b.yaml" tests="2" failures="0" errors="0" skipped="1">
    <testcase name="yaml/odd 1:1" classname="b.yaml" file="b.yaml" line="1">
      <system-out>b.yaml:1:1: warning: odd</system-out>
    </testcase>
    <testcase name="yaml/odd 1:4" classname="b.yaml" file="b.yaml" line="1">
      <skipped message="suppressed by a comment: known"/>
    </testcase>
  </testsuite>
  <testsuite name="c.yaml" tests="1" failures="0" errors="0" skipped="0">
    <testcase name="no findings" classname="c.yaml" file="c.yaml"/>
  </testsuite>
  <testsuite name="what could not be read" tests="1" failures="0" errors="1" skipped="0">
    <testcase name="file/unreadable" classname="tollgate">
      <error type="file/unreadable" message="cannot read \`c.yaml\`: no such file"/>
    </testcase>
  </testsuite>
</testsuites>
`);
    expect(write('junit', { ...REPORT, failOn: 'warning' })).toContain('tests="4" failures="2" errors="1">');
  });
});
