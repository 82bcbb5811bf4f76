import { rangeAt } from '@tollgate/policy';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { POLICY } from './example-tests.ts';

/** Words that stand where a reason should. */
const NO_REASON =
  /^\W*(?:(?:skip(?:ped)?|todo|to do|fixme|wip|later|tbd|yes|true|on|temp(?:orary|orarily)?|broken|fails|disabled|ignore|x)\W*)*$/i;

/** `skip: todo`. */
export const SKIP_WITHOUT_REASON: LintRule = {
  id: 'test/skip-without-reason',
  severity: 'warning',
  summary: 'a test that is skipped without saying why',
  rationale:
    'What `skip` says is shown in every report, so that somebody can tell when the test may run again. A word such as `todo` says nothing of that, ' +
    'and the test stays skipped for ever.',
  bad: {
    policy: POLICY,
    tests: `\
policy: policy.yaml
tests:
  - name: nobody may trace
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
  - name: nobody may trace
    skip: until the new proxy passes TRACE on
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
        const message = `\`${skip}\` does not say why the test is skipped; say until when, or because of what`;
        context.report({ range: rangeAt(root, { path: ['tests', index, 'skip'] }), message, args: { skip } });
      }
    },
  },
};
