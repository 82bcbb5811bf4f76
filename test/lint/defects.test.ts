import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EndpointKind, PROFILES } from '@tollgate/catalog';
import { type Diagnostic, SourceText } from '@tollgate/diagnostics';
import { activate, createLinter, LINT_RULES, lintText } from '@tollgate/lint';
import { detectProfile } from '@tollgate/policy';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../architecture/source-file.ts';
import { type Fixture, readFixture } from './annotations.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const ALL = createLinter(LINT_RULES.map(rule => activate(rule)));

function fixturesIn(folder: string): readonly (readonly [string, Fixture])[] {
  return readdirSync(join(FIXTURES, folder)).map(file => {
    const text = readFileSync(join(FIXTURES, folder, file), 'utf8');
    return [file.slice(0, file.lastIndexOf('.')), readFixture(text)] as const;
  });
}

function lint({ text, profile, endpoint }: Omit<Fixture, 'expected'>): readonly Diagnostic[] {
  const resolved = PROFILES.find(({ name }) => name === profile)!;
  const target = { profile: resolved, endpoint: endpoint ?? resolved.endpoints[0]! };
  return lintText(new SourceText('policy.yaml', text), target, ALL).diagnostics;
}

/** Formats a finding with the marked source, for readable failures. */
function shown({ code, start, end }: { code: string; start: number; end: number }, text: string): string {
  return `${code} at «${text.slice(start, end)}»`;
}

describe('defects of published policies', () => {
  it.each(fixturesIn('defects'))('are found at their exact range: %s', (_, fixture) => {
    const { text } = fixture;
    const findings = lint(fixture).map(({ code, range, severity }) => ({ ...range, code, severity }));
    const format = (finding: Fixture['expected'][number]) => `${finding.start} ${finding.end} ${shown(finding, text)}`;
    expect(findings.map(format)).toEqual(expect.arrayContaining(fixture.expected.map(format)));
    const errors = findings.filter(({ severity }) => severity === 'error').map(format);
    expect(fixture.expected.map(format)).toEqual(expect.arrayContaining(errors));
    expect(fixture.expected.length).toBeGreaterThan(0);
  });
});

describe('the corrected policies', () => {
  it.each(fixturesIn('valid'))('have no errors: %s', (_, fixture) => {
    expect(errorsIn(fixture)).toEqual([]);
  });
});

/** Policies that use every name and key of the profiles, without regard to meaning. */
const TOURS = readdirSync(join(ROOT, 'test/dialects/fixtures')).map(file => {
  const [profile = '', endpoint] = file.split('.') as [string, EndpointKind];
  return [file, { text: readFileSync(join(ROOT, 'test/dialects/fixtures', file), 'utf8'), profile, endpoint }] as const;
});

/** Errors that are correct in those policies, because they contain contradictions. */
const EXPECTED_ERRORS = new Set([
  ...['url/unknown-named-variable', 'url/capture-out-of-range', 'url/double-question-mark'],
  ...['logic/contradiction-across-list', 'logic/never-matches', 'logic/impossible-range', 'logic/unreachable-rule'],
  ...['logic/shadowed-different-action', 'ip/invalid', 'ip/nobody-allowed', 'phase/result-before-action'],
  'policy/conflicting-actions',
  ...[
    'sec/secret-literal',
    'http/redirect-without-location',
    'header/name-invalid',
    'url/redirect-loop',
    'http/status-range',
  ],
]);

describe('policies that use everything', () => {
  it.each(TOURS)('have only the expected errors: %s', (_, fixture) => {
    expect(errorsIn(fixture).filter(error => !EXPECTED_ERRORS.has(error.slice(0, error.indexOf(' '))))).toEqual([]);
  });
});

const EXAMPLES = readdirSync(join(ROOT, 'examples/policies')).filter(file => file.endsWith('.yaml'));

describe('the example policies', () => {
  it.each(EXAMPLES)('have no errors: %s', file => {
    const text = readFileSync(join(ROOT, 'examples/policies', file), 'utf8');
    expect(errorsIn({ text, profile: detectProfile(text).profile.name, endpoint: undefined })).toEqual([]);
  });
});

function errorsIn(fixture: Omit<Fixture, 'expected'>): readonly string[] {
  return lint(fixture)
    .filter(({ severity }) => severity === 'error')
    .map(({ code, message }) => `${code} ${message}`);
}
