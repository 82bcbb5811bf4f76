import type { Rule } from '@tollgate/policy';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import type { RuleCoverage } from '../../rule-api/linted-tests.ts';

/** A rule that no test makes match, or not match. */
export const RULE_UNTESTED: LintRule = {
  id: 'test/rule-untested',
  severity: 'warning',
  summary: 'a rule that the tests of its policy do not see both match and not match',
  rationale:
    'A rule that no test makes match may never match; one that no test makes fail to match may match everything. Either mistake would pass all ' +
    'tests. Only policies that have tests are looked at, and rules without conditions need only match.',
  bad: {
    policy: `\
inbound:
  - name: «no trace»
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
    coverage: [{ matched: 1, notMatched: 0 }],
  },
  good: {
    policy: `\
inbound:
  - name: no trace
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
    coverage: [{ matched: 1, notMatched: 1 }],
  },
  cost: 'slow',
  fixable: 'no',
  presets: ['strict'],
  check: {
    policy: (policy, context) => {
      // A policy with errors cannot be run.
      if (context.file.diagnostics.some(({ severity }) => severity === 'error')) return;
      const coverage = context.file.coverageOf(policy);
      if (!coverage) return;
      const rules = context.file.profile.phases.flatMap(phase => policy.rules[phase]);
      for (const [index, rule] of rules.entries()) {
        const lack = lackOf(rule, coverage[index]);
        if (lack === undefined) continue;
        const { matched = 0, notMatched = 0 } = coverage[index] ?? {};
        context.report({
          range: rule.name?.range ?? rule.range,
          message: `no test makes this rule ${lack}; add one that does`,
          args: { matched, notMatched },
        });
      }
    },
  },
};

/** What no test shows. */
function lackOf({ expressions }: Rule, coverage: RuleCoverage | undefined): string | undefined {
  const { matched, notMatched } = coverage ?? { matched: 0, notMatched: 0 };
  const isConditional = expressions.length > 0;
  if (matched === 0) return isConditional && notMatched === 0 ? 'match, and none makes it not match' : 'match';
  return isConditional && notMatched === 0 ? 'not match' : undefined;
}
