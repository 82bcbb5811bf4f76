import type { Fix } from '@tollgate/diagnostics';
import type { Policy, Rule } from '@tollgate/policy';
import { rangeOfRule, ruleNode } from '../../readers/actions.ts';
import { insertEntry } from '../../rule-api/fixes.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports rules without a name. */
export const RULE_NAME_MISSING: LintRule = {
  id: 'style/rule-name-missing',
  severity: 'info',
  summary: 'rule without a name',
  rationale:
    'Logs, traces, tests and reviews refer to a rule by its name. A rule without a name is identified only by its position, which ' +
    'changes when another rule is inserted before it.',
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
  - name: no TRACE
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['style'],
  isInAll: false,
  check: {
    rule: (rule, policy, context) => {
      if (rule.name !== undefined && rule.name.value.trim() !== '') return;
      const range = rule.name?.range ?? rangeOfRule(rule, context.file.source.text);
      context.report({
        range,
        message: 'rule has no name; add one that states its purpose',
        fixes: rule.name === undefined ? naming(rule, policy, context.file.source.text) : [],
      });
    },
  },
};

/** Suggests a name made of the action types, to be improved by hand; none if there is no action or the rule has a name that is not a string. */
function naming(rule: Rule, policy: Policy, document: string): readonly Fix[] {
  const map = ruleNode(rule, policy);
  const types = [...new Set(rule.actions.map(({ type }) => type.value))].join(' and ');
  if (types === '' || map?.entries.some(({ key }) => key === 'name')) return [];
  const name = `${types} ${rule.index + 1}`;
  const edit =
    map &&
    insertEntry(document, map, 'name', /^["{]/.test(document[map.range.start] ?? '') ? JSON.stringify(name) : name);
  return edit ? [{ title: `name it \`${name}\``, applicability: 'suggestion', edits: [edit] }] : [];
}
