import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { COUNTRY_CASE } from './country-case.ts';

testRule(it, COUNTRY_CASE, {
  fires: {
    'for small letters, at each of them': {
      policy: when("conn.Geo.CountryCode in [«'de'», 'FR', «'Nl'»]"),
      message: '`de` never equals a country code, which is in capital letters; write `DE`',
      suggested: when("conn.Geo.CountryCode in ['DE', 'FR', 'Nl']"),
    },
    'for capital letters after letters were made small': {
      policy: when("conn.geo.country_code.lowerAscii() == «'DE'»", { phase: 'inbound' }),
      profile: 'edge-v2-snake',
      suggested: when("conn.geo.country_code.lowerAscii() == 'de'", { phase: 'inbound' }),
    },
  },
  silent: {
    'for small letters where they are made small': {
      policy: when("conn.geo.country_code.lowerAscii() == 'de'"),
      profile: 'edge-v2-snake',
    },
    'for what is no code in any letters': when("conn.Geo.CountryCode == 'uk'"),
  },
});
