import { literalFix } from '../../../fixes/literal-fix.ts';
import { spelledHeader } from '../../../profile/header-spelling.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';
import { placeOf } from '../../../rule-api/linted-expression.ts';

/** `req.headers['X-Api-Version']` where names are in lower case. */
export const LOOKUP_CASE: LintRule = {
  id: 'header/lookup-case',
  severity: 'warning',
  summary: 'a header looked up in letters in which it never stands',
  rationale:
    'Clients may write names of headers in any case; the edge brings them into one form, and looks up exactly what is written. ' +
    'That form is `X-Api-Key` in the profile `edge-v2` and `x-api-key` in all others: in another one the header is never found, and ' +
    'indexing by it is an evaluation error.',
  bad: {
    policy: `\
on_http_request:
  - name: old versions
    expressions: ["«'X-Api-Version'» in req.headers"]
    actions: [{ type: deny }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: old versions
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
      for (const one of headers) {
        const expected = spelledHeader(one.name, context.file.profile);
        if (one.anyCase || one.name === expected) continue;
        const { key, name } = one;
        const isLiteral = key.kind === 'literal';
        context.report({
          range: placeOf(at, key.kind === 'select' ? key.fieldRange : key.range),
          message: `\`${name}\` is never found: names of headers are in ${context.file.profile.headerNames === 'canonical' ? 'canonical form' : 'lower case'} here; write \`${expected}\``,
          args: { found: name, suggestion: expected },
          fixes: isLiteral ? [literalFix(at, key, { value: expected, applicability: 'unsafe' })] : [],
        });
      }
    },
  },
};
