import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { ALWAYS_TRUE } from './always-true.ts';

testRule(it, ALWAYS_TRUE, {
  fires: {
    'and suggests removing it': {
      policy: `inbound:\n  - name: a\n    expressions: ["«size(req.Headers) >= 0»"]\n    actions: [{ type: deny }]\n`,
      suggested: `inbound:\n  - name: a\n    actions: [{ type: deny }]\n`,
    },
    'for a whole condition': {
      policy: when("«req.Path.startsWith('')»"),
      message: 'condition is true for all traffic; remove it if that is intended, or correct it',
    },
    'for complementary tests': when("«'X' in req.Headers || !hasReqHeader('X')»"),
    'for sizes': when('«size(req.Headers) >= 0»'),
    'in the modern profile': {
      policy: when("«req.method == 'A' || req.method != 'A'»", { phase: 'on_http_request' }),
      profile: 'modern',
    },
  },
  silent: {
    'when a header may be missing': when("req.Headers['X'][0] == 'a' || req.Headers['X'][0] != 'a'"),
    'when a value may be missing': {
      policy: when('req.content_length >= 5 || req.content_length < 5', { phase: 'on_http_request' }),
      profile: 'modern',
    },
    'when a conversion may fail': when('double(conn.Geo.Latitude) < 5.0 || double(conn.Geo.Latitude) >= 5.0'),
    'for two random values': {
      policy: when('rand.int(0, 9) < 5 || rand.int(0, 9) >= 5', { phase: 'on_http_request' }),
      profile: 'modern',
    },
    'for a constant': when('true'),
  },
});
