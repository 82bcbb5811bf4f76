import { COUNTRY_CODES } from '../../data/countries.ts';
import { isEquality, textsOf } from '../../expressions/value-tests.ts';
import { literalFix } from '../../fixes/literal-fix.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { placeOf } from '../../rule-api/linted-expression.ts';

/** Reports `conn.Geo.CountryCode == 'de'`. */
export const COUNTRY_CASE: LintRule = {
  id: 'geo/country-case',
  severity: 'warning',
  summary: 'country code in the wrong case',
  rationale:
    'The edge reports country codes in upper case, and string comparison is case-sensitive, so a lower-case code never matches. After ' +
    '`lowerAscii()` the opposite holds: only lower-case codes match.',
  bad: {
    policy: `\
inbound:
  - name: log visitors from abroad
    expressions: ["conn.Geo.CountryCode != «'de'»"]
    actions: [{ type: log, config: { metadata: { reason: abroad } } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: log visitors from abroad
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
        const expected = isLower ? 'lower case after `lowerAscii()`' : 'upper case';
        context.report({
          range: placeOf(at, node.range),
          message: `\`${text}\` never equals a country code: the value compared is in ${expected}; write \`${value}\``,
          args: { found: text, suggestion: value },
          fixes: [literalFix(at, node, { value, applicability: 'unsafe' })],
        });
      }
    },
  },
};
