import { EDGE_V2 } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import type { LintRule, Visitor } from '../rule-api/lint-rule.ts';
import { LINT_RULES } from '../rules/lint-rules.ts';
import { createLinter, type LintResult, lintText } from './lint-text.ts';
import { lintWorkspace } from './lint-workspace.ts';
import { activate } from './resolve-rules.ts';
import type { RunWithTimeout } from './rule-runner.ts';

const TARGET = { profile: EDGE_V2, endpoint: 'https-route' } as const;
const POLICY = `inbound:
  - name: a
    expressions: ["req.Path == '/a'"]
    actions: [{ type: log, config: { metadata: { a: b } } }]
# tollgate-ignore acme/none
outbound: []
`;

function ruleOf(id: LintRule['id'], check: Visitor, more: Partial<LintRule> = {}): LintRule {
  const about = { summary: '', rationale: '', bad: { policy: '' }, good: { policy: '' }, fixable: 'no' } as const;
  return { id, severity: 'warning', cost: 'fast', presets: [], ...about, check, ...more };
}

const GOOD = ruleOf('acme/good', {
  rule: (rule, _, context) => context.report({ range: rule.range, message: 'a rule' }),
});

function lint(rules: readonly LintRule[], runWithTimeout?: RunWithTimeout): LintResult {
  const active = rules.map(rule => activate(rule));
  return lintText(
    new SourceText('p.yaml', POLICY),
    TARGET,
    createLinter(active, { ...(runWithTimeout && { runWithTimeout }) }),
  );
}

function shown({ diagnostics }: Pick<LintResult, 'diagnostics'>): readonly string[] {
  return diagnostics.map(({ code, severity, message, uri }) => `${uri} ${severity} ${code}: ${message}`);
}

const boom = () => {
  throw new TypeError('boom\n  of two lines');
};
const REST = 'p.yaml warning acme/good: a rule';
const FAILED =
  'p.yaml error lint/rule-failed: lint rule `acme/bad` failed: TypeError: boom of two lines; fix it or turn it off';

describe('a user lint rule that throws', () => {
  it.each<[string, Visitor]>([
    ['a file', { file: boom }],
    ['a policy', { policy: boom }],
    ['a rule', { rule: boom }],
    ['an action', { action: boom }],
    ['a string', { configString: boom }],
    ['an expression', { expression: boom }],
    ['a node', { nodes: { literal: boom } }],
    ['a call', { calls: { '_==_': boom } }],
    ['suppressions', { suppressions: boom }],
  ])('in %s has one finding, and other lint rules still run', (_, check) => {
    expect(shown(lint([ruleOf('acme/bad', check), GOOD]))).toEqual([FAILED, REST]);
  });

  it('while it summarizes a file has one finding', () => {
    const bad = ruleOf('acme/bad', {}, { workspace: { summarize: boom, compare: () => undefined } });
    expect(shown(lint([bad, GOOD]))).toEqual([FAILED, REST]);
  });

  it('while it compares files has one finding, in the first file', () => {
    const bad = ruleOf('acme/bad', {}, { workspace: { summarize: () => 'x', compare: boom } });
    const { summaries } = lint([bad]);
    const { found, failures } = lintWorkspace([{ uri: 'p.yaml', summaries }], [activate(bad)]);
    expect([shown({ diagnostics: found }), failures.length]).toEqual([[FAILED], 1]);
  });

  it('loses its earlier findings', () => {
    const bad = ruleOf('acme/bad', {
      policy: (policy, context) => context.report({ range: policy.node.range, message: 'half of the truth' }),
      rule: boom,
    });
    expect(shown(lint([bad, GOOD]))).toEqual([FAILED, REST]);
  });

  it.each<[string, unknown, string]>([
    ['a string', 'boom', 'boom'],
    ['nothing', undefined, 'undefined'],
    ['what has no string', Object.create(null), 'it threw a value without a string'],
  ])('may throw %s', (_, value, reason) => {
    const bad = ruleOf('acme/bad', {
      file: () => {
        throw value;
      },
    });
    expect(shown(lint([bad]))).toEqual([
      `p.yaml error lint/rule-failed: lint rule \`acme/bad\` failed: ${reason}; fix it or turn it off`,
    ]);
  });
});

it.each<[string, unknown, string]>([
  ['no range', { message: 'x' }, '`range` of a finding must be inside the document'],
  [
    'a range outside',
    { message: 'x', range: { start: 5, end: 1e6 } },
    '`range` of a finding must be inside the document',
  ],
  ['no message', { range: { start: 0, end: 1 } }, '`message` of a finding must be a non-empty string'],
  [
    'half a fix',
    { message: 'x', range: { start: 0, end: 1 }, fixes: [{ title: 'x' }] },
    '`fixes` of a finding must be',
  ],
  ['nothing', undefined, 'expected a finding'],
])('a finding with %s counts as a failure of the lint rule', (_, finding, reason) => {
  const bad = ruleOf('acme/bad', { file: (__, context) => context.report(finding as never) });
  expect(shown(lint([bad, GOOD]))).toEqual([expect.stringContaining(`TypeError: ${reason}`), REST]);
});

it('reports an `async` visitor as a failure, and ignores its rejection', async () => {
  const bad = ruleOf('acme/bad', { file: async () => boom() });
  expect(shown(lint([bad]))).toEqual([expect.stringContaining('a visitor of a lint rule must not be `async`')]);
  await new Promise(setImmediate);
});

it('reports a built-in lint rule that throws as an internal error, and runs the others', () => {
  const own = LINT_RULES.find(rule => rule.id === 'doc/empty-phase')!;
  const broken = LINT_RULES.find(rule => rule.id === 'logic/always-true')!;
  const original = broken.check.policy!;
  // No built-in lint rule is known to fail, so this one is broken on purpose.
  Object.assign(broken.check, { policy: boom });
  try {
    const result = lint([broken, own]);
    expect(shown(result)).toEqual([
      'p.yaml error lint/internal-error: internal error in lint rule `logic/always-true`: TypeError: boom of two lines; please report it',
      expect.stringContaining('doc/empty-phase'),
    ]);
    expect(result.failures).toEqual([
      { id: 'logic/always-true', kind: 'threw', isOwn: true, error: expect.any(TypeError) },
    ]);
  } finally {
    Object.assign(broken.check, { policy: original });
  }
});

it('does not run a stopped lint rule on other files', () => {
  const seen: string[] = [];
  const endless = ruleOf('acme/endless', { file: ({ source }) => void seen.push(source.uri) });
  // A fake time-out that stops the endless lint rule.
  const runWithTimeout: RunWithTimeout = run => {
    const before = seen.length;
    const value = run();
    return seen.length > before ? { isFinished: false } : { isFinished: true, value };
  };
  const linter = createLinter(
    [endless, GOOD].map(rule => activate(rule)),
    { runWithTimeout },
  );
  const results = ['a', 'b'].map(uri => shown(lintText(new SourceText(uri, POLICY), TARGET, linter)));
  expect(results).toEqual([
    [
      'a error lint/rule-stopped: lint rule `acme/endless` did not finish; fix it or turn it off',
      'a warning acme/good: a rule',
    ],
    ['b warning acme/good: a rule'],
  ]);
  expect(seen).toEqual(['a']);
});
