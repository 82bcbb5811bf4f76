import type { Policy, Rule } from '@tollgate/policy';
import { conditionTests } from '../../analyses/access.ts';
import { isAnswer } from '../../readers/actions.ts';
import { isResponsePhase } from '../../readers/profile-roles.ts';
import type { ValueTest } from '../../readers/value-tests.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { rangeInDocument } from '../../rule-api/linted-expression.ts';

/** Reports a rule that replaces only responses with the status 500. */
export const SINGLE_ERROR_STATUS: LintRule = {
  id: 'http/single-error-status',
  severity: 'warning',
  summary: 'error page for the status 500 only',
  rationale:
    'An upstream that fails answers with 500, but also with 501 to 504 and others, whose pages reveal as much. A rule that replaces the ' +
    'page of the status 500 lets those through. Compare with `>= 500`.',
  bad: {
    policy: `\
on_http_response:
  - name: hide errors
    expressions: ["«res.status_code == 500»"]
    actions:
      - type: custom-response
        config: { status_code: 500, headers: { content-type: text/plain }, body: an error }
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_response:
  - name: hide errors
    expressions: ["res.status_code >= 500"]
    actions:
      - type: custom-response
        config: { status_code: 500, headers: { content-type: text/plain }, body: an error }
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    expression: (at, context) => {
      const { rule, policy, role, analysis } = at;
      if (role !== 'condition' || !isResponsePhase(context.file.profile, rule.phase) || !rule.actions.some(isAnswer))
        return;
      const only = analysis.testsOf('status').filter(isOnly500);
      if (only.length === 0 || handlesOthers(rule, policy, context)) return;
      for (const { call } of only)
        context.report({
          range: rangeInDocument(at, call.range),
          message: 'other server errors, such as 502 and 503, are not replaced; compare with `>= 500`',
        });
    },
  },
};

function isOnly500({ kind, isNegated, literals }: ValueTest): boolean {
  return kind === '==' && !isNegated && literals.every(({ literal }) => Number(literal.value) === 500);
}

/** True if this or another rule tests for other server errors. */
function handlesOthers({ phase }: Rule, { rules }: Policy, { file }: LintContext): boolean {
  return rules[phase].some(rule =>
    conditionTests(rule, file.roles).some(
      test =>
        test.origin.role === 'status' &&
        !isOnly500(test) &&
        test.literals.some(({ literal }) => Number(literal.value) >= 499),
    ),
  );
}
