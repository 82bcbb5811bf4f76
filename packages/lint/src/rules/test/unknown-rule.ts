import { findTestedRule, rangeAt } from '@tollgate/policy';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { POLICY } from './test-file.ts';

/** Reports `rules: { no TRACE: matched }` if the policy has no rule of that name, or two. */
export const UNKNOWN_RULE: LintRule = {
  id: 'test/unknown-rule',
  severity: 'error',
  summary: 'policy test that names an unknown or ambiguous rule',
  rationale:
    'A test identifies a rule by its name, or by its phase and position, counted from 1: `inbound 2`. When you rename a rule, update ' +
    'its tests too.',
  bad: {
    policy: POLICY,
    tests: `\
policy: policy.yaml
tests:
  - name: denies TRACE
    request: { method: TRACE }
    expect: { rules: { «no TRACING»: matched } }
`,
  },
  good: {
    policy: POLICY,
    tests: `\
policy: policy.yaml
tests:
  - name: denies TRACE
    request: { method: TRACE }
    expect: { rules: { no TRACE: matched } }
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
          const tested = findTestedRule(name, rules);
          if (typeof tested === 'number') continue;
          const range = rangeAt(root, { path: ['tests', index, 'expect', 'rules', name], ofKey: true });
          context.report({ range, message: tested.message, args: { name } });
        }
      }
    },
  },
};
