import { spelledHeader } from '../../readers/profile-roles.ts';
import { literalFix } from '../../rule-api/fixes.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { rangeInDocument } from '../../rule-api/linted-expression.ts';

/** Reports `req.headers['X-Api-Version']` in a profile whose header names are in lower case. */
export const LOOKUP_CASE: LintRule = {
  id: 'header/lookup-case',
  severity: 'warning',
  summary: 'header looked up in the wrong case',
  rationale:
    'Clients may send header names in any case; the edge normalizes them, and a lookup must match exactly. The normal form is ' +
    '`X-Api-Key` in the profile `edge-v2` and `x-api-key` in all others. With any other spelling the header is never found, and ' +
    'indexing by it is an evaluation error.',
  bad: {
    policy: `\
on_http_request:
  - name: versioned requests
    expressions: ["«'X-Api-Version'» in req.headers"]
    actions: [{ type: deny }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: versioned requests
    expressions: ["'x-api-version' in req.headers"]
    actions: [{ type: deny }]
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'unsafe',
  presets: ['recommended'],
  check: {
    expression: (at, context) => {
      const headers = at.analysis.lookupsOf(
        'request-headers',
        'response-headers',
        'request-trailers',
        'response-trailers',
      );
      for (const lookup of headers) {
        const expected = spelledHeader(lookup.name, context.file.profile);
        if (lookup.anyCase || lookup.name === expected) continue;
        const { key, name } = lookup;
        const isLiteral = key.kind === 'literal';
        context.report({
          range: rangeInDocument(at, key.kind === 'select' ? key.fieldRange : key.range),
          message: `\`${name}\` never matches: the edge stores header names in ${context.file.profile.headerNames === 'canonical' ? 'canonical form' : 'lower case'}; write \`${expected}\``,
          args: { found: name, suggestion: expected },
          fixes: isLiteral ? [literalFix(at, key, { value: expected, applicability: 'unsafe' })] : [],
        });
      }
    },
  },
};
