import { entryOf } from '@tollgate/policy';
import { ruleNode } from '../../readers/actions.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `expressions: []`. */
export const EMPTY_EXPRESSIONS: LintRule = {
  id: 'doc/empty-expressions',
  severity: 'warning',
  summary: 'empty list of expressions',
  rationale:
    'A rule without expressions matches everything. An empty list looks as if its expressions had been commented out or lost. A rule ' +
    'that is meant to match everything should omit `expressions`.',
  bad: {
    policy: `\
inbound:
  - name: deny everything
    «expressions»: []
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: deny everything
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['strict'],
  check: {
    rule: (rule, policy, context) => {
      // Edges returned by the API always contain the list.
      if (rule.expressions.length > 0 || context.file.edge) return;
      const map = ruleNode(rule, policy);
      const entry = map && entryOf(map, 'expressions');
      if (entry?.value.kind !== 'list' || entry.value.items.length > 0) return;
      const message = 'rule matches everything because `expressions` is empty; add an expression, or remove the key';
      context.report({ range: entry.keyRange, message });
    },
  },
};
