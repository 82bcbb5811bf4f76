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
  const found = PROFILES.find(one => one.name === profile)!;
  const target = { profile: found, endpoint: endpoint ?? found.endpoints[0]! };
  return lintText(new SourceText('policy.yaml', text), target, ALL).diagnostics;
}

/** As it stands in a fixture, for messages that can be read. */
function shown({ code, start, end }: { code: string; start: number; end: number }, text: string): string {
  return `${code} at «${text.slice(start, end)}»`;
}

describe('the defects of published policies', () => {
  it.each(fixturesIn('defects'))('%s is found, exactly where it is', (_, fixture) => {
    const { text } = fixture;
    const found = lint(fixture).map(({ code, range, severity }) => ({ ...range, code, severity }));
    const place = (one: Fixture['expected'][number]) => `${one.start} ${one.end} ${shown(one, text)}`;
    expect(found.map(place)).toEqual(expect.arrayContaining(fixture.expected.map(place)));
    const errors = found.filter(one => one.severity === 'error').map(place);
    expect(fixture.expected.map(place)).toEqual(expect.arrayContaining(errors));
    expect(fixture.expected.length).toBeGreaterThan(0);
  });
});

describe('the same policies as they were meant', () => {
  it.each(fixturesIn('valid'))('%s has no error', (_, fixture) => {
    expect(errorsIn(fixture)).toEqual([]);
  });
});

/** Every name and key of the dialects, put together so that they are seen and not so that they make sense. */
const TOURS = readdirSync(join(ROOT, 'test/dialects/fixtures')).map(file => {
  const [profile = '', endpoint] = file.split('.') as [string, EndpointKind];
  return [file, { text: readFileSync(join(ROOT, 'test/dialects/fixtures', file), 'utf8'), profile, endpoint }] as const;
});

/** Errors that lint rules are right to find in the tours, which ask for what cannot be. */
const NONSENSE = new Set([
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
  it.each(TOURS)('have no error but those of what they ask for: %s', (_, fixture) => {
    expect(errorsIn(fixture).filter(one => !NONSENSE.has(one.slice(0, one.indexOf(' '))))).toEqual([]);
  });
});

const EXAMPLES = readdirSync(join(ROOT, 'examples/policies')).filter(file => file.endsWith('.yaml'));

describe('the policies to keep', () => {
  it.each(EXAMPLES)('have no error: %s', file => {
    const text = readFileSync(join(ROOT, 'examples/policies', file), 'utf8');
    expect(errorsIn({ text, profile: detectProfile(text).profile.name, endpoint: undefined })).toEqual([]);
  });
});

function errorsIn(fixture: Omit<Fixture, 'expected'>): readonly string[] {
  return lint(fixture)
    .filter(one => one.severity === 'error')
    .map(one => `${one.code} ${one.message}`);
}
