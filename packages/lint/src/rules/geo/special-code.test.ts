import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { SPECIAL_CODE } from './special-code.ts';

testRule(it, SPECIAL_CODE, {
  fires: {
    'for a code that some providers use for Tor': {
      policy: when("conn.Geo.CountryCode == «'T1'»"),
      message:
        '`T1` is not an ISO 3166-1 code, but some providers use it for the Tor network; check that this edge does',
    },
    'for a lower-case special code': when("conn.Geo.CountryCode in ['DE', «'xx'»]"),
  },
  silent: {
    'for assigned country codes': when("conn.Geo.CountryCode in ['DE', 'FR']"),
  },
});
