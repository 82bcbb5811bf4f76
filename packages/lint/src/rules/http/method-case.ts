import { checkCase } from '../../analyses/literals.ts';
import { HTTP_METHODS } from '../../readers/http-names.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

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
  check: checkCase('method', method => HTTP_METHODS.has(method), 'an HTTP method'),
};
