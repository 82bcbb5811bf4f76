import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { OBSOLETE_ALLOWED } from './obsolete-allowed.ts';

testRule(it, OBSOLETE_ALLOWED, {
  fires: {
    'for a rule that denies other versions': {
      policy: when("!(req.ClientTLS.Version in [«'TLS 1.1'», 'TLS 1.2', 'TLS 1.3'])"),
      message: '`TLS 1.1` is obsolete (RFC 8996), but this rule does not deny it; deny it too',
    },
    'for a rule that denies all versions but one': when("req.ClientTLS.Version != «'TLS 1.0'»"),
  },
  silent: {
    'for a rule that denies obsolete versions': when("req.ClientTLS.Version in ['TLS 1.0', 'TLS 1.1']"),
    'for a rule that only logs': when("req.ClientTLS.Version != 'TLS 1.0'", {
      action: '{type: log, config: {metadata: {tls: new}}}',
    }),
  },
});
