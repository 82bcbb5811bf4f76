import { nearest } from '@tollgate/cel';
import { HTTP_METHODS } from '../../data/http-methods.ts';
import { isEquality, textsOf } from '../../expressions/value-tests.ts';
import { literalFix } from '../../fixes/literal-fix.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { placeOf } from '../../rule-api/linted-expression.ts';

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
  check: {
    expression: (at, context) => {
      for (const { node, text } of textsOf(at.analysis.testsOf('method').filter(isEquality))) {
        const method = text.toUpperCase();
        if (HTTP_METHODS.has(method) || method === COMMON) continue;
        const meant = nearest(method, [...HTTP_METHODS]);
        context.report({
          range: placeOf(at, node.range),
          message: `\`${text}\` is not a registered HTTP method; ${meant === undefined ? 'use a method such as `GET`' : `did you mean \`${meant}\`?`}`,
          args: { found: text, ...(meant !== undefined && { suggestion: meant }) },
          ...(meant !== undefined && { fixes: [literalFix(at, node, { value: meant, applicability: 'suggestion' })] }),
        });
      }
    },
  },
};
