import { nearest } from '@tollgate/cel';
import { HTTP_METHODS } from '../../data/http-methods.ts';
import { isEquality, textsOf } from '../../expressions/value-tests.ts';
import { literalFix } from '../../fixes/literal-fix.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { placeOf } from '../../rule-api/linted-expression.ts';

/** Caches agree on it without a registration. */
const COMMON = 'PURGE';

/** `req.Method == 'DELTE'`. */
export const METHOD_UNKNOWN: LintRule = {
  id: 'http/method-unknown',
  severity: 'warning',
  summary: 'a method that is not registered',
  rationale:
    'No client sends a method that is not in the IANA registry of HTTP methods, unless both ends agreed on it: it is most likely ' +
    'misspelt, and the condition holds for no request.',
  bad: {
    policy: `\
inbound:
  - name: nothing is deleted here
    expressions: ["req.Method in ['PATCH', «'DELTE'»]"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: nothing is deleted here
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
          message: `\`${text}\` is no registered method of HTTP; ${meant === undefined ? 'expected one such as `GET`' : `did you mean \`${meant}\`?`}`,
          args: { found: text, ...(meant !== undefined && { suggestion: meant }) },
          ...(meant !== undefined && { fixes: [literalFix(at, node, { value: meant, applicability: 'suggestion' })] }),
        });
      }
    },
  },
};
