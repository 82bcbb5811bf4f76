import type { LintRule } from '../../rule-api/lint-rule.ts';
import { rangeInDocument } from '../../rule-api/linted-expression.ts';

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** Reports `hasReqHeader('X Api Key')`. */
export const NAME_INVALID: LintRule = {
  id: 'header/name-invalid',
  severity: 'error',
  summary: 'invalid header name',
  rationale:
    'Header names consist of letters, digits and a few other characters; spaces and colons are not allowed (RFC 9110, section 5.1). ' +
    'The edge rejects a message with an invalid header name before any rule runs, so such a lookup never finds anything.',
  bad: {
    policy: `\
inbound:
  - name: require an API key
    expressions: ["!hasReqHeader(«'X-Api-Key:'»)"]
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
  presets: ['recommended'],
  check: {
    expression: (at, context) => {
      const headers = at.analysis.lookupsOf(
        'request-headers',
        'response-headers',
        'request-trailers',
        'response-trailers',
      );
      for (const { name, key } of headers) {
        if (TOKEN.test(name)) continue;
        context.report({
          range: rangeInDocument(at, key.range),
          message: `\`${name}\` is not a valid header name and never matches; use a name such as \`X-Api-Key\``,
          args: { found: name },
        });
      }
    },
  },
};
