import { entryOf } from '@tollgate/policy';
import { ruleNode } from '../../actions/action-node.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** `expressions: []`. */
export const EMPTY_EXPRESSIONS: LintRule = {
  id: 'doc/empty-expressions',
  severity: 'warning',
  summary: 'a list of conditions with none in it',
  rationale:
    'A rule without conditions matches everything. An empty list looks like one whose conditions have been commented out or lost; a rule ' +
    'that is meant for everything leaves `expressions` out.',
  bad: {
    policy: `\
inbound:
  - name: to the new site
    «expressions»: []
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: nobody
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    rule: (rule, policy, context) => {
      // Edges as the API gives them have the list always.
      if (rule.expressions.length > 0 || context.file.edge) return;
      const map = ruleNode(rule, policy);
      const entry = map && entryOf(map, 'expressions');
      if (entry?.value.kind !== 'list' || entry.value.items.length > 0) return;
      const message =
        'the rule matches everything, as its list of conditions is empty; add one, or leave `expressions` out';
      context.report({ range: entry.keyRange, message });
    },
  },
};
