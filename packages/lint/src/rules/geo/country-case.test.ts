import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { COUNTRY_CASE } from './country-case.ts';

testRule(it, COUNTRY_CASE, {
  fires: {
    'for each lower-case code in a list': {
      policy: when("conn.Geo.CountryCode in [«'de'», 'FR', «'Nl'»]"),
      message: '`de` never equals a country code: the value compared is in upper case; write `DE`',
      suggested: when("conn.Geo.CountryCode in ['DE', 'FR', 'Nl']"),
    },
    'for an upper-case code after `lowerAscii()`': {
      policy: when("conn.geo.country_code.lowerAscii() == «'DE'»", { phase: 'inbound' }),
      profile: 'edge-v2-snake',
      suggested: when("conn.geo.country_code.lowerAscii() == 'de'", { phase: 'inbound' }),
    },
  },
  silent: {
    'for a lower-case code after `lowerAscii()`': {
      policy: when("conn.geo.country_code.lowerAscii() == 'de'"),
      profile: 'edge-v2-snake',
    },
    'for a string that is not a country code in any case': when("conn.Geo.CountryCode == 'uk'"),
  },
});
