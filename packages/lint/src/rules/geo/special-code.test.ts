import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { SPECIAL_CODE } from './special-code.ts';

testRule(it, SPECIAL_CODE, {
  fires: {
    'for the code of another provider': {
      policy: when("conn.Geo.CountryCode == «'T1'»"),
      message:
        '`T1` is no country of ISO 3166-1; some providers write it for the Tor network; check that this edge does',
    },
    'in small letters': when("conn.Geo.CountryCode in ['DE', «'xx'»]"),
  },
  silent: {
    'for countries': when("conn.Geo.CountryCode in ['DE', 'FR']"),
  },
});
