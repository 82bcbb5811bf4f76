import type { Rule } from '@tollgate/policy';
import type { LintRule } from '../../rule/lint-rule.ts';

/** Two rules of one name. */
export const DUPLICATE_RULE_NAME: LintRule = {
  id: 'style/duplicate-rule-name',
  severity: 'warning',
  summary: 'two rules of a phase with the same name',
  rationale:
    'Logs, traces and tests refer to rules by name. With two of the same name nobody can tell which one it was. Often the second is a copy that was ' +
    'meant to be changed.',
  bad: {
    policy: `\
inbound:
  - name: no trace
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
  - name: «no trace»
    expressions: ["req.Method == 'CONNECT'"]
    actions: [{ type: deny, config: { status_code: 405 } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no trace
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
  - name: no connect
    expressions: ["req.Method == 'CONNECT'"]
    actions: [{ type: deny, config: { status_code: 405 } }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'style'],
  check: {
    policy: ({ rules }, context) => {
      for (const phase of context.file.profile.phases) {
        const first = new Map<string, NonNullable<Rule['name']>>();
        for (const { name } of rules[phase]) {
          if (!name || name.value.trim() === '') continue;
          const known = first.get(name.value);
          if (!known) first.set(name.value, name);
          else {
            context.report({
              range: name.range,
              message: `there is a rule \`${name.value}\` already; give each rule of a phase a name of its own`,
              args: { name: name.value },
              related: [{ range: known.range, message: 'the first one is here' }],
            });
          }
        }
      }
    },
  },
};
