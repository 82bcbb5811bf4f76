import { EDGE_V2, extendProfile, PROFILES, SWITCHES } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import { analyzePolicy } from '../analysis/analyze-policy.ts';
import { readProject } from './read-settings.ts';

const projectOf = (text: string) => readProject(new SourceText('tollgate.yaml', text));

describe('an undocumented detail of what a policy means', () => {
  const answers = Object.entries(SWITCHES).flatMap(([name, { values }]) =>
    Object.keys(values).map(value => [name, value] as const),
  );

  it.each(answers)('can be chosen in the project file: %s is %s', (name, value) => {
    const { value: project, diagnostics } = projectOf(`switches: { ${name}: '${value}' }`);
    expect(diagnostics).toEqual([]);
    for (const profile of PROFILES) {
      const { switches } = extendProfile(profile, project!);
      expect(switches).toEqual({ ...profile.switches, [name]: value });
    }
  });

  it('has a default in each profile', () => {
    expect(PROFILES.map(({ name, switches }) => [name, switches])).toEqual([
      ['edge-v2', { ...DEFAULTS, interpolationEscape: 'none', tlsVersionSpelling: 'TLS 1.3' }],
      ['edge-v2-snake', DEFAULTS],
      ['modern', { ...DEFAULTS, responsePhaseAfterAnswer: 'run' }],
    ]);
  });
});

const DEFAULTS = {
  evaluationError: 'skip-rule',
  requestVariables: 'current-url',
  dollarsOfRequest: 'text',
  interpolationEscape: '$${',
  tlsVersionSpelling: '1.3',
  responsePhaseAfterAnswer: 'skipped',
  routePrecedence: 'most-specific',
  moduleOrder: 'modules-first',
};

describe('an undocumented limit', () => {
  const RULE = '{expressions: ["true || false", "1 < 2"], actions: [type: log, type: log]}';
  const POLICY = `inbound: [${RULE}, ${RULE}]\n`;

  it.each([
    ['maxDocumentSize', POLICY.length, POLICY.length - 1, 'limit/document-size', ''],
    ['maxDocumentDepth', 4, 3, 'limit/document-depth', '['],
    ['maxDocumentNodes', 20, 19, 'limit/document-nodes', ''],
    ['maxExpressionSize', 13, 12, 'limit/source-length', 'e'],
    ['maxRules', 2, 1, 'limit/rules', RULE],
    ['maxExpressions', 2, 1, 'limit/expressions', '"1 < 2"'],
    ['maxActions', 2, 1, 'limit/actions', 'type: log'],
  ])('can be set in the project file: %s', (name, enough, tooSmall, code, marked) => {
    const found = (value: number) => {
      const { value: project } = projectOf(`limits: { ${name}: ${value} }`);
      const profile = extendProfile(EDGE_V2, project!);
      return analyzePolicy(new SourceText('p', POLICY), { profile, endpoint: 'https-route' }).diagnostics;
    };
    expect(found(enough)).toEqual([]);
    expect(found(tooSmall)[0]).toMatchObject({ code, severity: 'error' });
    const { range } = found(tooSmall)[0]!;
    expect(POLICY.slice(range.start, range.end)).toBe(marked);
  });

  it('limits the number of diagnostics', () => {
    const { value: project } = projectOf('limits: { maxDiagnostics: 2 }');
    const profile = extendProfile(EDGE_V2, project!);
    const text = 'a: 1\nb: 1\nc: 1\nd: 1\n';
    const { diagnostics } = analyzePolicy(new SourceText('p', text), { profile, endpoint: 'https-route' });
    expect(diagnostics.map(one => one.code)).toEqual(['policy/unknown-key', 'policy/unknown-key', 'limit/diagnostics']);
  });

  it.each([
    ['limits: { maxRules: 0 }', 'expected an integer from 1 to 100000, found `0`'],
    ['limits: { maxRules: many }', 'expected an integer from 1 to 100000, found `many`'],
    ['limits: { maxDocumentDepth: 100000 }', 'expected an integer from 1 to 256, found `100000`'],
    ['limits: { maxRule: 1 }', 'unknown key `maxRule`; did you mean `maxRules`?'],
  ])('must be a feasible number: %s', (text, message) => {
    expect(projectOf(text).diagnostics.map(one => one.message)).toEqual([message]);
  });
});
