import { SPECIAL_COUNTRIES } from '../../data/countries.ts';
import { isEquality, textsOf } from '../../expressions/value-tests.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { placeOf } from '../../rule-api/linted-expression.ts';

/** `conn.Geo.CountryCode == 'XX'`. */
export const SPECIAL_CODE: LintRule = {
  id: 'geo/special-code',
  severity: 'info',
  summary: 'a country code that only some providers of location data give',
  rationale:
    'Codes such as `XX`, `T1` or `EU` are not those of countries. Each provider of location data gives some of them a meaning, and ' +
    'drops it again. An address that could not be located has the empty text here.',
  bad: {
    policy: `\
inbound:
  - name: nobody from nowhere
    expressions: ["conn.Geo.CountryCode == «'XX'»"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: nobody from nowhere
    expressions: ["conn.Geo.CountryCode == ''"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    expression: (at, context) => {
      const tests = at.analysis.testsOf('country-code').filter(isEquality);
      for (const { node, text } of textsOf(tests)) {
        const use = SPECIAL_COUNTRIES.get(text.toUpperCase());
        if (use === undefined) continue;
        context.report({
          range: placeOf(at, node.range),
          message: `\`${text}\` is no country of ISO 3166-1; some providers write it for ${use}; check that this edge does`,
          args: { found: text, use },
        });
      }
    },
  },
};
