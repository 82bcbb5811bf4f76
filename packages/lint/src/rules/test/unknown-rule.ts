import { findTestedRule, rangeAt } from '@tollgate/policy';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { POLICY } from './example-tests.ts';

/** `rules: { no trace: matched }` where the policy has no such rule. */
export const UNKNOWN_RULE: LintRule = {
  id: 'test/unknown-rule',
  severity: 'error',
  summary: 'a test that names a rule which the policy does not have, or has twice',
  rationale:
    'A test names a rule by its name, or by its phase and number in it, from 1 on: `inbound 2`. When a rule is renamed, its tests have to ' +
    'follow.',
  bad: {
    policy: POLICY,
    tests: `\
policy: policy.yaml
tests:
  - name: nobody may trace
    request: { method: TRACE }
    expect: { rules: { «no tracing»: matched } }
`,
  },
  good: {
    policy: POLICY,
    tests: `\
policy: policy.yaml
tests:
  - name: nobody may trace
    request: { method: TRACE }
    expect: { rules: { no trace: matched } }
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    tests: ({ tests: { tests }, root, rules }, context) => {
      if (!rules) return;
      for (const [index, { expect }] of tests.entries()) {
        for (const name of Object.keys(expect.rules ?? {})) {
          const found = findTestedRule(name, rules);
          if (typeof found === 'number') continue;
          const range = rangeAt(root, { path: ['tests', index, 'expect', 'rules', name], ofKey: true });
          context.report({ range, message: found.message, args: { name } });
        }
      }
    },
  },
};
