import { COUNTRY_CODES } from '../../data/countries.ts';
import { isEquality, textsOf } from '../../expressions/value-tests.ts';
import { literalFix } from '../../fixes/literal-fix.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { placeOf } from '../../rule-api/linted-expression.ts';

/** `conn.Geo.CountryCode == 'de'`. */
export const COUNTRY_CASE: LintRule = {
  id: 'geo/country-case',
  severity: 'warning',
  summary: 'a country code in letters that it never has',
  rationale:
    'Country codes are in capital letters, and texts are compared letter by letter: a code in small letters is never equal. After ' +
    '`lowerAscii()` it is the other way about.',
  bad: {
    policy: `\
inbound:
  - name: note who comes from abroad
    expressions: ["conn.Geo.CountryCode != «'de'»"]
    actions: [{ type: log, config: { metadata: { reason: abroad } } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: note who comes from abroad
    expressions: ["conn.Geo.CountryCode != 'DE'"]
    actions: [{ type: log, config: { metadata: { reason: abroad } } }]
`,
  },
  cost: 'fast',
  fixable: 'unsafe',
  presets: ['recommended'],
  check: {
    expression: (at, context) => {
      const tests = at.analysis.testsOf('country-code').filter(isEquality);
      for (const { test, node, text } of textsOf(tests)) {
        const isLower = test.origin.letters === 'lower';
        const value = isLower ? text.toLowerCase() : text.toUpperCase();
        if (text === value || !COUNTRY_CODES.has(text.toUpperCase())) continue;
        const expected = isLower ? 'small letters, as `lowerAscii()` makes them' : 'capital letters';
        context.report({
          range: placeOf(at, node.range),
          message: `\`${text}\` never equals a country code, which is in ${expected}; write \`${value}\``,
          args: { found: text, suggestion: value },
          fixes: [literalFix(at, node, { value, applicability: 'unsafe' })],
        });
      }
    },
  },
};
