import { COUNTRY_CODES, MISTAKEN_COUNTRIES, SPECIAL_COUNTRIES } from '../../data/countries.ts';
import { isEquality, textsOf } from '../../expressions/value-tests.ts';
import { literalFix } from '../../fixes/literal-fix.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { placeOf } from '../../rule-api/linted-expression.ts';

/** `conn.Geo.CountryCode == 'UK'`. */
export const COUNTRY_CODE: LintRule = {
  id: 'geo/country-code',
  severity: 'error',
  summary: 'a country that no address is ever in',
  rationale:
    'The edge names countries by the two letters of ISO 3166-1. A name, three letters, or letters that are not assigned (`UK` for ' +
    '`GB`) are never equal to them: the country that was meant is treated like all others.',
  bad: {
    policy: `\
inbound:
  - name: sold on the islands only
    expressions: ["!(conn.Geo.CountryCode in ['IE', «'UK'»])"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: sold on the islands only
    expressions: ["!(conn.Geo.CountryCode in ['IE', 'GB'])"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'unsafe',
  presets: ['recommended'],
  check: {
    expression: (at, context) => {
      const tests = at.analysis.testsOf('country-code').filter(isEquality);
      for (const { node, text } of textsOf(tests)) {
        const code = text.toUpperCase();
        if (code === '' || COUNTRY_CODES.has(code) || SPECIAL_COUNTRIES.has(code)) continue;
        const meant = MISTAKEN_COUNTRIES.get(code);
        const hint = meant === undefined ? 'expected two letters of ISO 3166-1, such as `DE`' : `write \`${meant}\``;
        context.report({
          range: placeOf(at, node.range),
          message: `\`${text}\` is no country code that an address is ever located in; ${hint}`,
          args: { found: text, ...(meant !== undefined && { suggestion: meant }) },
          ...(meant !== undefined && { fixes: [literalFix(at, node, { value: meant, applicability: 'unsafe' })] }),
        });
      }
    },
  },
};
