import { PROFILES } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { activate, createLinter, fixText, LINT_RULES, type LintRule, lintText, unmark } from '@tollgate/lint';
import { analyzePolicy } from '@tollgate/policy';
import { describe, expect, it } from 'vitest';
import { decisionDifference, differenceText } from './decision-difference.ts';

function analyse(text: string, { profile: name = 'edge-v2', endpoint }: Omit<LintRule['bad'], 'policy'> = {}) {
  const profile = PROFILES.find(one => one.name === name)!;
  const target = { profile, endpoint: endpoint ?? profile.endpoints[0]! };
  const { policy, environments, diagnostics } = analyzePolicy(new SourceText('p', text), target);
  return { policy: policy!, environments, ...target, isRight: diagnostics.every(one => one.severity !== 'error') };
}

const rule = (condition: string, action = '{type: deny}') =>
  `inbound: [{expressions: ["${condition}"], actions: [${action}]}]`;

describe('the difference between two versions of a policy', () => {
  it('is none for the same policy', () => {
    const { policy, ...options } = analyse(rule("req.Path.startsWith('/a')"));
    const difference = decisionDifference(policy, policy, options);
    expect(differenceText(difference, 'p')).toBe('p: none of 600 made-up exchanges is decided in another way\n');
  });

  it.each([
    ["req.Path.startsWith('/a')", "req.Path == '/a'"],
    ["req.Method == 'POST'", "req.Method != 'POST'"],
    ["req.Headers['X-A'][0] == 'b'", "'X-A' in req.Headers"],
    ["conn.ClientIP == '203.0.113.7'", "conn.ClientIP != '203.0.113.7'"],
  ])('is seen between %s and %s', (before, after) => {
    const { policy, ...options } = analyse(rule(before));
    const { different } = decisionDifference(policy, analyse(rule(after)).policy, options);
    expect(different.length).toBeGreaterThan(5);
  });

  it('is not denied where both hang on what no exchange holds', () => {
    const { policy, ...options } = analyse(rule("conn.Geo.CountryCode == 'UK'"));
    const difference = decisionDifference(policy, analyse(rule("conn.Geo.CountryCode == 'GB'")).policy, options);
    expect(differenceText(difference, 'p')).toBe(
      'p: none of 600 made-up exchanges is decided in another way; not seen is what hangs on conn.Geo.CountryCode\n',
    );
  });

  it('is shown with what becomes of exchanges', () => {
    const { policy, ...options } = analyse(rule("req.Method == 'POST'", '{type: deny, config: {status_code: 403}}'));
    const after = analyse(rule("req.Method == 'POST'", '{type: deny, config: {status_code: 404}}')).policy;
    expect(differenceText(decisionDifference(policy, after, options), 'p')).toMatch(
      /^p: \d+ of 600 made-up exchanges are decided in another way\n( {2}POST https:\/\/example\.com\/: denied 403, now denied 404\n){5} {2}and \d+ more\n$/,
    );
  });
});

/** Everything that lint rules give as an example has safe fixes of all lint rules applied. */
const EXAMPLES = LINT_RULES.flatMap(({ id, bad }) => {
  const { text } = unmark(bad.policy);
  const before = analyse(text, bad);
  if (!before.isRight || text.includes('---\n')) return [];
  const linter = createLinter(
    LINT_RULES.map(one =>
      activate(one, one.id === id ? { ...bad.options } : one.id === 'style/long-expression' ? { max: 1 } : {}),
    ),
  );
  const lint = (source: SourceText) => lintText(source, before, linter).diagnostics;
  const fixed = fixText(new SourceText('p', text), { lint, kinds: ['safe'] });
  return fixed.fixed.length === 0 ? [] : [{ id, bad, before, fixed }];
});

describe('safe fixes', () => {
  it('are there to be tried', () => {
    expect(EXAMPLES.length).toBeGreaterThan(15);
  });

  it.each(EXAMPLES)('change no decision on made-up exchanges: in the example of $id', ({ before, bad, fixed }) => {
    const after = analyse(fixed.source.text, bad);
    expect(after.isRight).toBe(true);
    const { policy, ...options } = before;
    const { different } = decisionDifference(policy, after.policy, options);
    const codes = [...new Set(fixed.fixed.map(one => one.code))];
    expect(different.length === 0 || codes.some(code => CHANGES_ON_PURPOSE.has(code))).toBe(true);
  });
});

/** Safe because what was written could only ever be meant in the other way: it never did what it says. */
const CHANGES_ON_PURPOSE: ReadonlySet<string> = new Set([
  ...['header/lookup-case', 'http/method-case', 'geo/country-code', 'geo/country-case', 'ip/host-bits-set'],
  ...['http/content-type-missing', 'http/status-forbids-body', 'url/double-question-mark', 'url/unescaped-dot'],
]);
