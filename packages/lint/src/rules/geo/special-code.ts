import { checkLiterals } from '../../analyses/literals.ts';
import { isEquality } from '../../readers/value-tests.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { SPECIAL_COUNTRIES } from './countries.ts';

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
  check: checkLiterals(
    ['country-code'],
    ({ text }) => {
      const use = SPECIAL_COUNTRIES.get(text.toUpperCase());
      if (use === undefined) return undefined;
      const message = `\`${text}\` is not an ISO 3166-1 code, but some providers use it for ${use}; check that this edge does`;
      return { message, args: { found: text, use } };
    },
    isEquality,
  ),
};
