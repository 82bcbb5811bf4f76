import { PROFILES } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import type { LintRule } from '@tollgate/lint';
import { analyzePolicy } from '@tollgate/policy';
import { describe, expect, it } from 'vitest';
import { decisionDifference, differenceText, trafficDifference } from './decision-difference.ts';

function analyse(text: string, { profile: name = 'edge-v2', endpoint }: Omit<LintRule['bad'], 'policy'> = {}) {
  const profile = PROFILES.find(one => one.name === name)!;
  const target = { profile, endpoint: endpoint ?? profile.endpoints[0]! };
  const { policy, environments, diagnostics } = analyzePolicy(new SourceText('p', text), target);
  return {
    policy: policy!,
    environments,
    ...target,
    isRight: diagnostics.every(diagnostic => diagnostic.severity !== 'error'),
  };
}

const rule = (condition: string, action = '{type: deny}') =>
  `inbound: [{expressions: ["${condition}"], actions: [${action}]}]`;

const MADE_UP = { name: 'p', what: 'made-up' } as const;

describe('the difference between two versions of a policy', () => {
  it('is empty for the same policy', () => {
    const { policy, ...options } = analyse(rule("req.Path.startsWith('/a')"));
    const difference = decisionDifference({ before: policy, after: policy }, options);
    expect(differenceText(difference, MADE_UP)).toBe('p: the fixes change no decision on 600 made-up exchanges\n');
  });

  it.each([
    ["req.Path.startsWith('/a')", "req.Path == '/a'"],
    ["req.Method == 'POST'", "req.Method != 'POST'"],
    ["req.Headers['X-A'][0] == 'b'", "'X-A' in req.Headers"],
    ["conn.ClientIP == '203.0.113.7'", "conn.ClientIP != '203.0.113.7'"],
  ])('is found between %s and %s', (before, after) => {
    const { policy, ...options } = analyse(rule(before));
    const { different } = decisionDifference({ before: policy, after: analyse(rule(after)).policy }, options);
    expect(different).toBeGreaterThan(5);
  });

  it('is not ruled out if both versions depend on an input that no exchange has', () => {
    const { policy, ...options } = analyse(rule("conn.Geo.CountryCode == 'UK'"));
    const difference = decisionDifference(
      { before: policy, after: analyse(rule("conn.Geo.CountryCode == 'GB'")).policy },
      options,
    );
    expect(differenceText(difference, MADE_UP)).toBe(
      'p: the fixes change no decision on 600 made-up exchanges; the recording lacks conn.Geo.CountryCode\n',
    );
  });

  it('shows exchanges with both results', () => {
    const { policy, ...options } = analyse(rule("req.Method == 'POST'", '{type: deny, config: {status_code: 403}}'));
    const after = analyse(rule("req.Method == 'POST'", '{type: deny, config: {status_code: 404}}')).policy;
    expect(differenceText(decisionDifference({ before: policy, after }, options), MADE_UP)).toMatch(
      /^p: the fixes change the decision on \d+ of 600 made-up exchanges\n {2}POST https:\/\/example\.com\/: denied 403, now denied 404\n {2}and \d+ more\n$/,
    );
  });
});

describe('the difference on recorded traffic', () => {
  it('adds up all files, and reports those that cannot be read', async () => {
    const { policy: before, ...options } = analyse(rule("req.Path == '/robots.txt'"));
    const { policy: after } = analyse(rule("req.Path.startsWith('/robots')"));
    const failures: string[] = [];
    const files = ['examples/traffic/access.log', 'examples/traffic/nothing.log'];
    const fail = ({ message }: Error) => void failures.push(message);
    const same = await trafficDifference({ before, after }, options, { files, allowEmpty: false, fail });
    const text = differenceText(same, { name: 'p', what: 'recorded' });
    expect(text).toMatch(/^p: the fixes change no decision on \d+ recorded exchanges\n$/);
    expect(failures).toEqual([expect.stringContaining('examples/traffic/nothing.log')]);
    const { policy: open } = analyse(rule("req.Path == '/nothing'"));
    const less = await trafficDifference({ before, after: open }, options, {
      files: files.slice(0, 1),
      allowEmpty: false,
      fail,
    });
    expect(less.different).toBeGreaterThan(0);
    expect(differenceText(less, { name: 'p', what: 'recorded' })).toContain('/robots.txt: denied');
  });
});
