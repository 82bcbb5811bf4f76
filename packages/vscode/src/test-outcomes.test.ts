import { describe, expect, it } from 'vitest';
import type { ListedTest } from './shared/policy-server.ts';
import { readCoverage, readOutcome } from './test-outcomes.ts';

const at = (line: number, character: number) => ({ line, character });
const listed = (name: string, from: number, to: number): ListedTest => ({
  name,
  nameRange: { start: at(from, 10), end: at(from, 20) },
  range: { start: at(from, 4), end: at(to, 0) },
});
const LISTED = [listed('first', 2, 6), listed('second', 6, 10)];
const mismatch = { message: 'expected 404, found 403', expected: 404, found: 403 };
const diagnostic = (line: number) => ({
  code: 'test/failed',
  severity: 'error',
  message: mismatch.message,
  uri: '/w/a.test.yaml',
  range: { from: at(line, 14), to: at(line, 17) },
  related: [{ uri: '/w/a.yaml', message: 'this rule decided', range: { from: at(3, 4), to: at(3, 9) } }],
});
const run = (report: object) => ({ output: JSON.stringify(report), errors: '' });

describe('results of policy tests', () => {
  it('puts a failure at the expectation of its own test, though another fails alike', () => {
    const results = ['first', 'second'].map(name => ({ name, status: 'failed', mismatches: [mismatch] }));
    const files = [{ file: '/w/a.test.yaml', results }];
    const { tests, errors } = readOutcome(run({ files, diagnostics: [diagnostic(4), diagnostic(8)] }), LISTED);
    const failure = (line: number) => ({
      message: 'expected 404, found 403\nthis rule decided: a.yaml:4',
      at: { file: '/w/a.test.yaml', line, character: 14 },
      expected: '404',
      found: '403',
    });
    expect(errors).toEqual([]);
    expect(tests).toEqual([
      { name: 'first', status: 'failed', failures: [failure(4)] },
      { name: 'second', status: 'failed', failures: [failure(8)] },
    ]);
  });

  it('does not take an expectation that cannot be decided for an error of the file', () => {
    const undetermined = { ...diagnostic(4), code: 'test/undetermined', message: 'the outcome is undetermined' };
    const results = [{ name: 'first', status: 'failed', mismatches: [{ message: undetermined.message }] }];
    const files = [{ file: '/w/a.test.yaml', results }];
    const { tests, errors } = readOutcome(run({ files, diagnostics: [undetermined] }), LISTED);
    expect(errors).toEqual([]);
    expect(tests[0]?.failures[0]?.at).toEqual({ file: '/w/a.test.yaml', line: 4, character: 14 });
  });

  it('skips tests that others leave out', () => {
    const results = [
      { name: 'first', status: 'passed', mismatches: [] },
      { name: 'second', status: 'left-out', mismatches: [] },
    ];
    const { tests } = readOutcome(run({ files: [{ file: '/w/a.test.yaml', results }], diagnostics: [] }), LISTED);
    expect(tests.map(({ status }) => status)).toEqual(['passed', 'skipped']);
  });

  it('reports errors of the policy', () => {
    const error = { ...diagnostic(1), code: 'name/undeclared-field', message: 'no field', uri: '/w/a.yaml' };
    const report = { files: [{ file: '/w/a.test.yaml' }], diagnostics: [error, { ...error, severity: 'warning' }] };
    expect(readOutcome(run(report), LISTED)).toEqual({
      tests: [],
      errors: [{ message: 'no field', at: { file: '/w/a.yaml', line: 1, character: 14 } }],
    });
  });

  it.each([
    ['what the command says', 'tollgate: no such file\n', 'tollgate: no such file'],
    ['that it says nothing', '', 'the command printed no report'],
  ])('reports %s if there is no report', (_, errors, message) => {
    expect(readOutcome({ output: '', errors }, LISTED)).toEqual({ tests: [], errors: [{ message }] });
  });
});

const goal = (id: string, group: string, kind: string, state: string, line: number, tests: readonly string[]) => {
  return { id, group, kind, state, start: { line, column: 5 }, end: { line, column: 9 }, tests };
};

it('shows rules, conditions and actions with the tests that show them, and nothing impossible', () => {
  const goals = [
    goal('inbound 1: matches', 'rules', 'matches', 'reached', 2, ['a', 'b']),
    goal('inbound 1: does not match', 'rules', 'does-not-match', 'open', 2, []),
    goal('inbound 1: expression 1, atom 1 decides-true', 'conditions', 'decides-true', 'open', 4, []),
    goal('inbound 1: expression 1 fails', 'conditions', 'fails', 'impossible', 4, []),
    goal('inbound 1: action 1 ends', 'actions', 'ends', 'reached', 6, ['b']),
    goal('inbound 1: ending', 'endings', 'ending', 'reached', 6, ['b']),
  ];
  const place = (line: number) => ({ start: { line, character: 4 }, end: { line, character: 8 } });
  expect(readCoverage(JSON.stringify({ coverage: [{ file: '/w/p.yaml', goals }] }))).toEqual([
    {
      file: '/w/p.yaml',
      places: [
        {
          ...place(1),
          tests: 2,
          rule: 'inbound 1',
          goals: [
            { label: 'the rule matches', tests: 2 },
            { label: 'the rule does not match', tests: 0 },
          ],
        },
        { ...place(3), tests: 0, rule: undefined, goals: [{ label: 'true decides', tests: 0 }] },
        { ...place(5), tests: 1, rule: undefined, goals: [{ label: 'the action ends the policy', tests: 1 }] },
      ],
    },
  ]);
});

it('joins the policies of a file, and shows nothing of a run that printed no report', () => {
  const one = { file: '/w/p.yaml', goals: [goal('inbound 1: matches', 'rules', 'matches', 'open', 2, [])] };
  const two = { file: '/w/p.yaml', goals: [goal('inbound 1: matches', 'rules', 'matches', 'open', 9, [])] };
  expect(readCoverage(JSON.stringify({ coverage: [one, two] }))[0]?.places).toHaveLength(2);
  expect(readCoverage('an error')).toEqual([]);
  expect(readCoverage('{}')).toEqual([]);
});
