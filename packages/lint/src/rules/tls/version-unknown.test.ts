import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { VERSION_UNKNOWN } from './version-unknown.ts';

testRule(it, VERSION_UNKNOWN, {
  fires: {
    'for a bare number in edge-v2': {
      policy: when("req.ClientTLS.Version == «'1.3'»"),
      message: '`1.3` is not a TLS version of this profile; write `TLS 1.3`',
      suggested: when("req.ClientTLS.Version == 'TLS 1.3'"),
    },
    'for a version that does not exist': {
      policy: when("conn.tls.version in ['1.3', «'1.4'»]", { phase: 'on_http_request' }),
      profile: 'modern',
      message: '`1.4` is not a TLS version of this profile; use one such as `1.3`',
    },
    'for an order comparison with another spelling': {
      policy: 'inbound: [{expressions: ["conn.TLS.Version > «\'1.3\'»"], actions: [{type: deny}]}]',
      endpoint: 'tls-edge',
    },
    'for a substring that no version contains': when("!req.ClientTLS.Version.contains(«'v1.2'»)"),
  },
  silent: {
    'for substrings of versions': when(
      "req.ClientTLS.Version.contains('1.3') || req.ClientTLS.Version.endsWith('1.2')",
    ),
    'for the spelling of the profile': when("req.ClientTLS.Version in ['TLS 1.2', 'TLS 1.3', '']"),
  },
});
