import { SPECIAL_COUNTRIES } from '../../data/countries.ts';
import { isEquality, textsOf } from '../../expressions/value-tests.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { placeOf } from '../../rule-api/linted-expression.ts';

/** Reports `conn.Geo.CountryCode == 'XX'`. */
export const SPECIAL_CODE: LintRule = {
  id: 'geo/special-code',
  severity: 'info',
  summary: 'country code with a provider-specific meaning',
  rationale:
    'Codes such as `XX`, `T1` or `EU` do not stand for countries. Some geolocation providers give them a meaning, which differs ' +
    'between providers and changes over time. On this edge, an address whose location is unknown has an empty country code.',
  bad: {
    policy: `\
inbound:
  - name: unknown location
    expressions: ["conn.Geo.CountryCode == «'XX'»"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: unknown location
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
          message: `\`${text}\` is not an ISO 3166-1 country; some providers use it for ${use}; check that this edge does`,
          args: { found: text, use },
        });
      }
    },
  },
};
