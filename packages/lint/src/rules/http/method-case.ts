import { HTTP_METHODS } from '../../data/http-methods.ts';
import { isEquality, textsOf } from '../../expressions/value-tests.ts';
import { literalFix } from '../../fixes/literal-fix.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { placeOf } from '../../rule-api/linted-expression.ts';

/** `req.Method == 'get'`. */
export const METHOD_CASE: LintRule = {
  id: 'http/method-case',
  severity: 'warning',
  summary: 'a method in letters that it never has',
  rationale:
    'Methods are case-sensitive, and all registered ones are in capital letters (RFC 9110, section 9.1): `get` is another method, ' +
    'which nobody sends.',
  bad: {
    policy: `\
inbound:
  - name: reading only
    expressions: ["req.Method != «'get'»"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: reading only
    expressions: ["req.Method != 'GET'"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'unsafe',
  presets: ['recommended'],
  check: {
    expression: (at, context) => {
      for (const { test, node, text } of textsOf(at.analysis.testsOf('method').filter(isEquality))) {
        const isLower = test.origin.letters === 'lower';
        const value = isLower ? text.toLowerCase() : text.toUpperCase();
        if (text === value || !HTTP_METHODS.has(text.toUpperCase())) continue;
        const expected = isLower ? 'small letters, as `lowerAscii()` makes them' : 'capital letters';
        context.report({
          range: placeOf(at, node.range),
          message: `\`${text}\` never equals a method, which is in ${expected}; write \`${value}\``,
          args: { found: text, suggestion: value },
          fixes: [literalFix(at, node, { value, applicability: 'unsafe' })],
        });
      }
    },
  },
};
