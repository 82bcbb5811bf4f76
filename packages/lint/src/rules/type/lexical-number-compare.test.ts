import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { LEXICAL_NUMBER_COMPARE } from './lexical-number-compare.ts';

testRule(it, LEXICAL_NUMBER_COMPARE, {
  fires: {
    'for decimal fractions': {
      policy: when('«conn.Geo.Latitude >= "45.0"» && «conn.Geo.Longitude <= "-93.0"»'),
      message:
        'numbers are compared as strings, so `"9"` is greater than `"10"`; compare `double(conn.Geo.Latitude)` with `45.0`',
    },
    'for whole numbers, on either side': {
      policy: when("«'5' > conn.Geo.LatLongRadiusKm»"),
      suggested: when("!conn.Geo.LatLongRadiusKm.matches('^[+-]?[0-9]{1,18}$') || 5 > int(conn.Geo.LatLongRadiusKm)"),
    },
    'for header values in the modern profile': {
      policy: when("req.headers['x-n'].exists(n, «n < '300'»)", { phase: 'on_http_request' }),
      profile: 'modern',
    },
    'for a status that may be a string or a number': {
      policy: when("«res.StatusCode < '300'»", { phase: 'outbound', action: '{type: log}' }),
      suggested: when('int(res.StatusCode) < 300', { phase: 'outbound', action: '{type: log}' }),
    },
  },
  silent: {
    'for strings that are not numbers': when("conn.Geo.CountryCode < 'M'"),
    'for equality': when("conn.Geo.Latitude == '45.0'"),
    'for TLS versions in any spelling': {
      policy: when("conn.TLS.Version < '1.2' || conn.TLS.Version >= 'TLS 1.3'"),
      endpoint: 'tls-edge',
    },
    'for numbers': when('req.ContentLength < 300'),
  },
});
