import { checkCase } from '../../analyses/literals.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { COUNTRY_CODES } from './countries.ts';

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
  check: checkCase('country-code', code => COUNTRY_CODES.has(code), 'a country code'),
};
