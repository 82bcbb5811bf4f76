import { headerOf, headersOf, isAnswer, textOf, textOfRole } from '../../actions/action-parts.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { isNeverJson } from '../../strings/body-format.ts';

/** `application/json`, `application/problem+json`. */
const JSON_TYPE = /^\s*(?:application|text)\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** A content type of JSON with a body that is none. */
export const BODY_TYPE_MISMATCH: LintRule = {
  id: 'http/body-type-mismatch',
  severity: 'warning',
  summary: 'a body that is not the JSON that its content type promises',
  rationale:
    'Programs parse what is said to be JSON, and fail on anything else with an error that says nothing of this response.',
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
      const body = isAnswer(action) ? textOfRole(action, 'body') : undefined;
      const type = headerOf(headersOf(action), 'content-type');
      const value = type && textOf(type.value);
      if (!body || !value || !JSON_TYPE.test(value.value) || !isNeverJson(body.value)) return;
      context.report({
        range: body.place,
        message: `the content type is \`${value.value}\`, and this is no JSON; mend the body, or name its type`,
        args: { contentType: value.value },
        related: [{ range: value.place, message: 'promised here' }],
      });
    },
  },
};
