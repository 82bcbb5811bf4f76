import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { VERSION_LEXICAL } from './version-lexical.ts';

testRule(it, VERSION_LEXICAL, {
  fires: {
    'for a bound': {
      policy: when("«req.ClientTLS.Version >= 'TLS 1.2'»"),
      message: "versions are compared as strings; list them instead: `req.ClientTLS.Version in ['TLS 1.2', 'TLS 1.3']`",
      suggested: when("req.ClientTLS.Version in ['TLS 1.2', 'TLS 1.3']"),
    },
    'for a bound on the left': {
      policy: when('«"1.3" > conn.tls.version»', { phase: 'on_http_request' }),
      profile: 'modern',
      suggested: when('conn.tls.version in ["1.0", "1.1", "1.2"]', { phase: 'on_http_request' }),
    },
  },
  silent: {
    'for equality': when("req.ClientTLS.Version == 'TLS 1.2'"),
    'for a string that is not a version of the profile': when("req.ClientTLS.Version >= '1.2'"),
    'for a bound that no version exceeds': when("req.ClientTLS.Version > 'TLS 1.3'"),
  },
});
