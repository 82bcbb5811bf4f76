import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { COUNTRY_CODE } from './country-code.ts';

testRule(it, COUNTRY_CODE, {
  fires: {
    'for the United Kingdom under its common name': {
      policy: when("conn.Geo.CountryCode == «'UK'»"),
      message: '`UK` is no country code that an address is ever located in; write `GB`',
      suggested: when("conn.Geo.CountryCode == 'GB'"),
    },
    'for three letters and for names, at each of them': {
      policy: when("conn.Geo.CountryCode in [«'USA'», 'CA', «'Mexico'»]"),
    },
    'for letters that nobody assigned': {
      policy: when("conn.Geo.CountryCode != «'QQ'»"),
      message:
        '`QQ` is no country code that an address is ever located in; expected two letters of ISO 3166-1, such as `DE`',
    },
    'in other profiles': {
      policy: when("conn.client_ip.geo.location.country_code == «'SU'»", { phase: 'on_http_request' }),
      profile: 'modern',
    },
  },
  silent: {
    'for what is not located': when("conn.Geo.CountryCode in ['DE', '']"),
    'for parts of codes': when("conn.Geo.CountryCode.startsWith('U')"),
    'for other texts': when("req.Host == 'UK'"),
    'for small letters, which are another matter': when("conn.Geo.CountryCode == 'gb'"),
  },
});
