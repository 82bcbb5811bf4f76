import { HTTP_METHODS } from '../../data/http-methods.ts';
import { isEquality, textsOf } from '../../expressions/value-tests.ts';
import { literalFix } from '../../fixes/literal-fix.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { placeOf } from '../../rule-api/linted-expression.ts';

/** Reports `req.Method == 'get'`. */
export const METHOD_CASE: LintRule = {
  id: 'http/method-case',
  severity: 'warning',
  summary: 'HTTP method in the wrong case',
  rationale:
    'Methods are case-sensitive, and all registered ones are in upper case (RFC 9110, section 9.1), so `get` is a different method ' +
    'that no client sends. After `lowerAscii()` the opposite holds: only lower-case methods match.',
  bad: {
    policy: `\
inbound:
  - name: read-only
    expressions: ["req.Method != «'get'»"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: read-only
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
        const expected = isLower ? 'lower case after `lowerAscii()`' : 'upper case';
        context.report({
          range: placeOf(at, node.range),
          message: `\`${text}\` never equals an HTTP method: the value compared is in ${expected}; write \`${value}\``,
          args: { found: text, suggestion: value },
          fixes: [literalFix(at, node, { value, applicability: 'unsafe' })],
        });
      }
    },
  },
};
