import { rangeAt } from '@tollgate/policy';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { POLICY } from './test-file.ts';

/** Placeholder words in place of a reason. */
const NO_REASON =
  /^\W*(?:(?:skip(?:ped)?|todo|to do|fixme|wip|later|tbd|yes|true|on|temp(?:orary|orarily)?|broken|fails|disabled|ignore|x)\W*)*$/i;

/** Reports `skip: todo`. */
export const SKIP_WITHOUT_REASON: LintRule = {
  id: 'test/skip-without-reason',
  severity: 'warning',
  summary: 'skipped policy test without a reason',
  rationale:
    'Every report shows the value of `skip`, so that readers can tell when the test may run again. A word such as `todo` does not tell ' +
    'them, and the test stays skipped forever.',
  bad: {
    policy: POLICY,
    tests: `\
policy: policy.yaml
tests:
  - name: denies TRACE
    skip: «todo»
    request: { method: TRACE }
    expect: { outcome: denied }
`,
  },
  good: {
    policy: POLICY,
    tests: `\
policy: policy.yaml
tests:
  - name: denies TRACE
    skip: until the new proxy forwards TRACE
    request: { method: TRACE }
    expect: { outcome: denied }
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    tests: ({ tests: { tests }, root }, context) => {
      for (const [index, { skip }] of tests.entries()) {
        if (skip === undefined || !NO_REASON.test(skip)) continue;
        const message = `\`${skip}\` does not explain why the test is skipped; state the reason`;
        context.report({ range: rangeAt(root, { path: ['tests', index, 'skip'] }), message, args: { skip } });
      }
    },
  },
};
