import { checkLiterals } from '../../analyses/literals.ts';
import { isEquality } from '../../readers/value-tests.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { COUNTRY_CODES, MISTAKEN_COUNTRIES, SPECIAL_COUNTRIES } from './countries.ts';

/** Reports `conn.Geo.CountryCode == 'UK'`. */
export const COUNTRY_CODE: LintRule = {
  id: 'geo/country-code',
  severity: 'error',
  summary: 'string that is not an assigned country code',
  rationale:
    'The edge identifies countries by their two-letter ISO 3166-1 codes. Names, three-letter codes and unassigned codes, such as `UK` ' +
    'instead of `GB`, never match, so visitors from the intended country are treated like everyone else.',
  bad: {
    policy: `\
inbound:
  - name: sold in Ireland and the UK only
    expressions: ["!(conn.Geo.CountryCode in ['IE', «'UK'»])"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: sold in Ireland and the UK only
    expressions: ["!(conn.Geo.CountryCode in ['IE', 'GB'])"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'unsafe',
  presets: ['recommended'],
  check: checkLiterals(
    ['country-code'],
    ({ text }) => {
      const code = text.toUpperCase();
      // `<COUNTRY-01>` in a guide stands for a code.
      if (code === '' || /^[<{[$]/.test(code) || COUNTRY_CODES.has(code) || SPECIAL_COUNTRIES.has(code))
        return undefined;
      const suggestion = MISTAKEN_COUNTRIES.get(code);
      const hint =
        suggestion === undefined ? 'use a two-letter ISO 3166-1 code, such as `DE`' : `write \`${suggestion}\``;
      return { message: `\`${text}\` is not an assigned country code and never matches; ${hint}`, suggestion };
    },
    isEquality,
  ),
};
