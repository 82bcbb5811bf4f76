import { nearest } from '@tollgate/cel/tooling';
import { checkLiterals } from '../../analyses/literals.ts';
import { HTTP_METHODS } from '../../readers/http-names.ts';
import { isEquality } from '../../readers/value-tests.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Not registered, but widely used with caches. */
const COMMON = 'PURGE';

/** Reports `req.Method == 'DELTE'`. */
export const METHOD_UNKNOWN: LintRule = {
  id: 'http/method-unknown',
  severity: 'warning',
  summary: 'unregistered HTTP method',
  rationale:
    'Clients do not send methods outside the IANA registry unless both ends agreed on one. An unregistered method is most likely a ' +
    'typo, and the condition matches no request.',
  bad: {
    policy: `\
inbound:
  - name: no changes
    expressions: ["req.Method in ['PATCH', «'DELTE'»]"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no changes
    expressions: ["req.Method in ['PATCH', 'DELETE']"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended'],
  check: checkLiterals(
    ['method'],
    ({ text }) => {
      const method = text.toUpperCase();
      if (HTTP_METHODS.has(method) || method === COMMON) return undefined;
      const suggestion = nearest(method, [...HTTP_METHODS]);
      const hint = suggestion === undefined ? 'use a method such as `GET`' : `did you mean \`${suggestion}\`?`;
      const message = `\`${text}\` is not a registered HTTP method; ${hint}`;
      return { message, suggestion, applicability: 'suggestion' };
    },
    isEquality,
  ),
};
