import { headerOf, headersOf, isAnswer, stringOfRole } from '../../readers/actions.ts';
import { addHeaderFixes } from '../../rule-api/fixes.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { isJson } from './body-format.ts';

const VALUE = 'application/json';

/** Reports a JSON body without a content type. */
export const CONTENT_TYPE_MISSING: LintRule = {
  id: 'http/content-type-missing',
  severity: 'info',
  summary: 'JSON body without a `Content-Type`',
  rationale:
    'Without a Content-Type header, the edge guesses the type from the first bytes of the body. It recognizes HTML but not JSON, which ' +
    'it sends as plain text, and many clients refuse to parse that.',
  bad: {
    policy: `\
inbound:
  - name: closed
    actions:
      - type: custom-response
        config:
          status_code: 403
          content: «'{"error": "closed"}'»
`,
  },
  good: {
    policy: `\
inbound:
  - name: closed
    actions:
      - type: custom-response
        config:
          status_code: 403
          content: '{"error": "closed"}'
          headers: { Content-Type: application/json }
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended'],
  check: {
    action: (action, _, context) => {
      const body = isAnswer(action) ? stringOfRole(action, 'body') : undefined;
      if (!body || !isJson(body.value) || headerOf(headersOf(action), 'content-type')) return;
      context.report({
        range: body.node.range,
        message: `JSON body is sent as plain text; add \`Content-Type: ${VALUE}\` to \`headers\``,
        fixes: addHeaderFixes(action, { name: 'Content-Type', value: VALUE }, context),
      });
    },
  },
};
