import { headerOf, headersOf, isAnswer, stringOf, stringOfRole } from '../../readers/actions.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { isNeverJson } from './body-format.ts';

/** `application/json`, `application/problem+json`. */
const JSON_TYPE = /^\s*(?:application|text)\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** Reports a body that is not JSON under a JSON content type. */
export const BODY_TYPE_MISMATCH: LintRule = {
  id: 'http/body-type-mismatch',
  severity: 'warning',
  summary: 'body that is not JSON under a JSON content type',
  rationale:
    'Clients parse a body that is declared as JSON. If it is not, they fail with a parse error that says nothing about this response.',
  bad: {
    policy: `\
inbound:
  - name: closed
    actions:
      - type: custom-response
        config: { status_code: 403, headers: { Content-Type: application/json }, content: "«{error: closed}»" }
`,
  },
  good: {
    policy: `\
inbound:
  - name: closed
    actions:
      - type: custom-response
        config: { status_code: 403, headers: { Content-Type: application/json }, content: '{"error": "closed"}' }
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    action: (action, _, context) => {
      const body = isAnswer(action) ? stringOfRole(action, 'body') : undefined;
      const type = headerOf(headersOf(action), 'content-type');
      const value = type && stringOf(type.value);
      if (!body || !value || !JSON_TYPE.test(value.value) || !isNeverJson(body.value)) return;
      context.report({
        range: body.place,
        message: `content type is \`${value.value}\`, but the body is not valid JSON; fix the body, or change its type`,
        args: { contentType: value.value },
        related: [{ range: value.place, message: 'content type is set here' }],
      });
    },
  },
};
