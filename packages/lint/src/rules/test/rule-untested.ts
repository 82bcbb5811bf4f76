import type { Rule } from '@tollgate/policy';
import type { RuleCoverage } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports rules that no test makes match, or that every test makes match. */
export const RULE_UNTESTED: LintRule = {
  id: 'test/rule-untested',
  severity: 'warning',
  summary: 'rule that the tests do not show both matching and not matching',
  rationale:
    'A rule that matches in no test may never match; one that matches in every test may match everything. Either mistake would pass ' +
    'all tests. Only policies with tests are checked, and rules without conditions only need to match.',
  bad: {
    policy: `\
inbound:
  - name: «no TRACE»
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
    coverage: [{ matched: 1, notMatched: 0 }],
  },
  good: {
    policy: `\
inbound:
  - name: no TRACE
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
      // A policy with errors cannot run.
      if (context.file.diagnostics.some(({ severity }) => severity === 'error')) return;
      const coverage = context.file.coverageOf(policy);
      if (!coverage) return;
      const rules = context.file.profile.phases.flatMap(phase => policy.rules[phase]);
      for (const [index, rule] of rules.entries()) {
        const gap = coverageGap(rule, coverage[index]);
        if (gap === undefined) continue;
        const { matched = 0, notMatched = 0 } = coverage[index] ?? {};
        context.report({
          range: rule.name?.range ?? rule.range,
          message: `${gap}; add a test`,
          args: { matched, notMatched },
        });
      }
    },
  },
};

/** Describes what no test covers; undefined if nothing is missing. */
function coverageGap({ expressions }: Rule, coverage: RuleCoverage | undefined): string | undefined {
  const { matched, notMatched } = coverage ?? { matched: 0, notMatched: 0 };
  const isConditional = expressions.length > 0;
  if (matched === 0) return isConditional && notMatched === 0 ? 'no test reaches this rule' : 'rule matches in no test';
  return isConditional && notMatched === 0 ? 'rule matches in every test that reaches it' : undefined;
}
