import type { LintRule } from '../../../rule-api/lint-rule.ts';
import { placeOf } from '../../../rule-api/linted-expression.ts';

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** `hasReqHeader('X Api Key')`. */
export const NAME_INVALID: LintRule = {
  id: 'header/name-invalid',
  severity: 'error',
  summary: 'a name that no header can have',
  rationale:
    'Names of headers are made of letters, digits and a few signs, without spaces and colons (RFC 9110, section 5.1). A message with ' +
    'another name is refused before any rule runs, so that such a header is never there.',
  bad: {
    policy: `\
inbound:
  - name: programs have a key
    expressions: ["!hasReqHeader(«'X-Api-Key:'»)"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: programs have a key
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
          range: placeOf(at, key.range),
          message: `\`${name}\` cannot be the name of a header, and is never found; expected one such as \`X-Api-Key\``,
          args: { found: name },
        });
      }
    },
  },
};
