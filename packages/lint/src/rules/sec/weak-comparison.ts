import { decides } from '../../analyses/access/rule-conditions.ts';
import { CREDENTIAL_HEADERS } from '../../data/header-names.ts';
import { isEquality, textsOf } from '../../expressions/value-tests.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { placeOf } from '../../rule-api/linted-expression.ts';

/** Reports `req.Headers['X-Api-Key'][0] == 'let-me-in'`. */
export const WEAK_COMPARISON: LintRule = {
  id: 'sec/weak-comparison',
  severity: 'info',
  summary: 'credential compared with a literal',
  rationale:
    'Everyone who can read the policy knows a key that a condition compares with. All clients share it, and it cannot be revoked for ' +
    'one of them. Let the upstream verify the key, or use an action made for it.',
  bad: {
    policy: `\
inbound:
  - name: require an API key
    expressions: ["!getReqHeader('X-Api-Key').exists(key, key == «'open sesame'»)"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: require an API key
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
          message: `everyone who can read the policy knows this value of \`${name}\`; verify it upstream or with an authentication action`,
          args: { header: name! },
        });
      }
    },
  },
};
