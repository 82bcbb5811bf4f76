import { decides } from '../../analyses/access/rule-conditions.ts';
import { CREDENTIAL_HEADERS } from '../../data/header-names.ts';
import { isEquality, textsOf } from '../../expressions/value-tests.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { placeOf } from '../../rule-api/linted-expression.ts';

/** `req.Headers['X-Api-Key'][0] == 'let-me-in'`. */
export const WEAK_COMPARISON: LintRule = {
  id: 'sec/weak-comparison',
  severity: 'info',
  summary: 'a password that stands in a condition',
  rationale:
    'A key that a condition compares with is known to all who may read the policy, is the same for every client, and cannot be taken ' +
    'from one of them. Let the upstream check it, or an action that is made for it.',
  bad: {
    policy: `\
inbound:
  - name: programs have a key
    expressions: ["!getReqHeader('X-Api-Key').exists(key, key == «'open sesame'»)"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: programs have a key
    expressions: ["!hasReqHeader('X-Api-Key')"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    expression: (at, context) => {
      if (at.role !== 'condition' || !decides(at.rule)) return;
      for (const { test, node, text } of textsOf(at.analysis.testsOf('request-headers').filter(isEquality))) {
        const { name } = test.origin;
        if (text === '' || !CREDENTIAL_HEADERS.has(name?.toLowerCase() ?? '')) continue;
        context.report({
          range: placeOf(at, node.range),
          message: `whoever reads the policy knows this value of \`${name}\`; let the upstream check it, or an action that is made for it`,
          args: { header: name! },
        });
      }
    },
  },
};
