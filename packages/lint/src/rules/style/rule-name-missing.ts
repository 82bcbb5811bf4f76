import type { LintRule } from '../../rule/lint-rule.ts';

/** A rule that nothing can refer to. */
export const RULE_NAME_MISSING: LintRule = {
  id: 'style/rule-name-missing',
  severity: 'info',
  summary: 'a rule without a name',
  rationale:
    'Logs, traces, tests and reviews refer to a rule by its name. One without a name is known by its position only, which changes ' +
    'when a rule is put before it.',
  bad: {
    policy: `\
inbound:
  - «expressions»: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no trace
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['style'],
  check: {
    rule: (rule, _, context) => {
      if (rule.name !== undefined && rule.name.value.trim() !== '') return;
      const firstKey = /[\w-]+|/.exec(context.file.source.text.slice(rule.range.start, rule.range.end))![0];
      const range = rule.name?.range ?? { start: rule.range.start, end: rule.range.start + firstKey.length };
      context.report({ range, message: 'the rule has no name; give it one that says what it is for' });
    },
  },
};
