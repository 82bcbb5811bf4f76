import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { OBSOLETE_ALLOWED } from './obsolete-allowed.ts';

testRule(it, OBSOLETE_ALLOWED, {
  fires: {
    'for a refusal that spares them': {
      policy: when("!(req.ClientTLS.Version in [«'TLS 1.1'», 'TLS 1.2', 'TLS 1.3'])"),
      message: '`TLS 1.1` is spared by this refusal, and has been retired (RFC 8996); refuse it as well',
    },
    'for a refusal of all but one': when("req.ClientTLS.Version != «'TLS 1.0'»"),
  },
  silent: {
    'for a refusal of them': when("req.ClientTLS.Version in ['TLS 1.0', 'TLS 1.1']"),
    'for notes': when("req.ClientTLS.Version != 'TLS 1.0'", { action: '{type: log, config: {metadata: {tls: new}}}' }),
  },
});
