import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CodeDescription, Diagnostic } from '../diagnostic.ts';
import { ExternalError } from '../errors.ts';
import { SourceText } from '../source-text.ts';
import type { Report } from './report.ts';
import { sarifReport } from './sarif-report.ts';

const SCHEMA = createRequire(import.meta.url).resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');

/** The schema is draft 4. What it uses means the same in draft 7, except for the names of these two keywords. */
function validator() {
  const { $schema, id, ...schema } = JSON.parse(readFileSync(SCHEMA, 'utf8'));
  const formats = {
    uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
    'uri-reference': /^[^\s<>"{}|\\^`]*$/,
    'date-time': true,
  } as const;
  expect([$schema, typeof id]).toEqual(['http://json-schema.org/draft-04/schema#', 'string']);
  return new Ajv({ strict: false, allErrors: true, unicodeRegExp: false, formats }).compile(schema);
}

const isValid = validator();
const TEXT = new SourceText('/site/ü %.yaml', 'x: 𐐀 [a](b)\ny: 2\n');
const DIAGNOSTIC: Diagnostic = {
  code: 'type/mismatch',
  severity: 'error',
  message: 'expected `{0}`, see [a](b)',
  uri: TEXT.uri,
  range: { start: 6, end: 9 },
  args: {},
  related: [{ uri: TEXT.uri, range: { start: 0, end: 1 }, message: 'here' }],
  fixes: [
    {
      title: 'remove',
      applicability: 'safe',
      edits: [
        { range: { start: 0, end: 1 }, newText: 'z' },
        { range: { start: 3, end: 5 }, newText: '' },
      ],
    },
  ],
};
const RULE: CodeDescription = {
  code: 'type/mismatch',
  severity: 'warning',
  summary: 'another type',
  rationale: 'It is of another type.',
  remedy: 'Convert it.',
};
const REPORT: Report = {
  sources: [TEXT],
  diagnostics: [DIAGNOSTIC],
  suppressed: [
    {
      diagnostic: { ...DIAGNOSTIC, code: 'a/b', severity: 'hint', range: { start: 0, end: 1 } },
      by: 'comment',
      reason: 'so',
    },
    { diagnostic: { ...DIAGNOSTIC, code: 'a/c', severity: 'info', range: { start: 0, end: 2 } }, by: 'baseline' },
  ],
  failures: [new ExternalError('file/unreadable', 'cannot read `c`')],
  rules: [RULE, { ...RULE, code: 'never/found' }],
};

function write(report: Report) {
  return JSON.parse(sarifReport(report, { directory: '/site', version: '1.2.3', docsUrl: 'https://docs.test' }));
}

describe('sarif', () => {
  it('is valid, with fixes, suppressions, related locations and failures', () => {
    const log = write(REPORT);
    isValid(log);
    expect(isValid.errors).toBeNull();
  });

  it('is rejected by the schema if it is wrong, so that the test can fail', () => {
    const log = write(REPORT);
    log.runs[0].results[0].level = 'fatal';
    log.runs[0].results[1].locations[0].physicalLocation.region.startLine = 0;
    log.runs[0].tool.driver.rules[0].helpUri = 'somewhere';
    isValid(log);
    expect(isValid.errors?.map(({ keyword }) => keyword).sort()).toEqual(['enum', 'format', 'minimum']);
  });

  it('has the rules with findings, in the order of their indexes', () => {
    const [{ tool, results }] = write(REPORT).runs;
    expect(tool.driver.rules).toEqual([
      { id: 'a/b', helpUri: 'https://docs.test/a.md#ab', properties: { tags: ['a'] } },
      { id: 'a/c', helpUri: 'https://docs.test/a.md#ac', properties: { tags: ['a'] } },
      {
        id: 'type/mismatch',
        shortDescription: { text: 'another type' },
        fullDescription: { text: 'It is of another type.' },
        help: { text: 'It is of another type.\n\nConvert it.', markdown: 'It is of another type.\n\nConvert it.' },
        defaultConfiguration: { level: 'warning' },
        helpUri: 'https://docs.test/type.md#typemismatch',
        properties: { tags: ['type'] },
      },
    ]);
    expect(results.map((result: { ruleId: string; ruleIndex: number }) => [result.ruleId, result.ruleIndex])).toEqual([
      ['a/b', 0],
      ['a/c', 1],
      ['type/mismatch', 2],
    ]);
  });

  it('counts columns in UTF-16 code units, and escapes placeholders and links', () => {
    const [run] = write(REPORT).runs;
    const result = run.results[2];
    expect(run.columnKind).toBe('utf16CodeUnits');
    expect(result.message.text).toBe('expected `{{0}}`, see \\[a](b)');
    expect(result.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: '%C3%BC%20%25.yaml', uriBaseId: '%SRCROOT%', index: 0 },
      region: { startLine: 1, startColumn: 7, endLine: 1, endColumn: 10, snippet: { text: '[a]' } },
    });
    expect(result.fixes[0].artifactChanges[0].replacements).toEqual([
      {
        deletedRegion: { startLine: 1, startColumn: 1, endLine: 1, endColumn: 2 },
        insertedContent: { text: 'z' },
      },
      { deletedRegion: { startLine: 1, startColumn: 4, endLine: 1, endColumn: 6 } },
    ]);
  });

  it('gives the reasons for suppressions', () => {
    const [{ results, invocations }] = write(REPORT).runs;
    expect(results.map((result: { suppressions?: object }) => result.suppressions)).toEqual([
      [{ kind: 'inSource', status: 'accepted', justification: 'so' }],
      [{ kind: 'external', status: 'accepted' }],
      undefined,
    ]);
    expect(invocations[0].executionSuccessful).toBe(false);
  });

  it('is valid for any strings and file names', () => {
    const text = fc.string({ unit: 'binary', maxLength: 30 });
    fc.assert(
      fc.property(text, text, text, fc.nat(40), fc.nat(40), (uri, content, message, a, b) => {
        const source = new SourceText(uri, content);
        const range = { start: Math.min(a, b, content.length), end: Math.min(Math.max(a, b), content.length) };
        const fixes = [{ title: message, applicability: 'safe' as const, edits: [{ range, newText: content }] }];
        const log = write({ sources: [source], diagnostics: [{ ...DIAGNOSTIC, uri, message, range, fixes }] });
        isValid(log);
        expect(isValid.errors).toBeNull();
        expect(Object.keys(log.runs[0].results[0].partialFingerprints)).toEqual([
          'tollgate/v1',
          'primaryLocationLineHash',
        ]);
      }),
      { numRuns: 300 },
    );
  });
});
