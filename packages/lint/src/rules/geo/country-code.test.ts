import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { COUNTRY_CODE } from './country-code.ts';

testRule(it, COUNTRY_CODE, {
  fires: {
    'for the United Kingdom under its common name': {
      policy: when("conn.Geo.CountryCode == «'UK'»"),
      message: '`UK` is not an assigned country code and never matches; write `GB`',
      suggested: when("conn.Geo.CountryCode == 'GB'"),
    },
    'for three-letter codes and country names, each of them': {
      policy: when("conn.Geo.CountryCode in [«'USA'», 'CA', «'Mexico'»]"),
    },
    'for an unassigned code': {
      policy: when("conn.Geo.CountryCode != «'QQ'»"),
      message: '`QQ` is not an assigned country code and never matches; use a two-letter ISO 3166-1 code, such as `DE`',
    },
    'in the modern profile': {
      policy: when("conn.client_ip.geo.location.country_code == «'SU'»", { phase: 'on_http_request' }),
      profile: 'modern',
    },
  },
  silent: {
    'for the empty string, which means an unknown location': when("conn.Geo.CountryCode in ['DE', '']"),
    'for a placeholder': when("conn.Geo.CountryCode in ['<COUNTRY-01>', '$COUNTRY']"),
    'for a prefix of a code': when("conn.Geo.CountryCode.startsWith('U')"),
    'for a string that is compared with another input': when("req.Host == 'UK'"),
    'for a lower-case code, which `geo/country-case` reports': when("conn.Geo.CountryCode == 'gb'"),
  },
});
