import { decides } from '../../analyses/access.ts';
import { checkLiterals } from '../../analyses/literals.ts';
import { CREDENTIAL_HEADERS, CREDENTIAL_PARAMETERS } from '../../readers/http-names.ts';
import { isEquality } from '../../readers/value-tests.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

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
  check: checkLiterals(
    ['request-headers', 'query-parameters', 'request-cookies'],
    ({ text, test: { origin } }) => {
      const { name = '', role } = origin;
      const names = role === 'request-headers' ? CREDENTIAL_HEADERS : CREDENTIAL_PARAMETERS;
      if (text === '' || !names.has(name.toLowerCase())) return undefined;
      const message = `everyone who can read the policy knows this value of \`${name}\`; verify it upstream or with an authentication action`;
      return { message, args: { header: name } };
    },
    (test, { role, rule }) => role === 'condition' && decides(rule) && isEquality(test),
  ),
};
