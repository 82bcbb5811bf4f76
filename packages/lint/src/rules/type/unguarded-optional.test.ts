import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { UNGUARDED_OPTIONAL } from './unguarded-optional.ts';

const modern = (condition: string) => ({
  policy: when(condition, { phase: 'on_http_request', action: '{type: log}' }),
  profile: 'modern' as const,
});

testRule(it, UNGUARDED_OPTIONAL, {
  fires: {
    'and asks first': {
      policy: when('req.method == "PUT" && «req.content_length» > 5', {
        phase: 'on_http_request',
        action: '{type: log}',
      }),
      profile: 'modern',
      suggested: when('req.method == "PUT" && (!has(req.content_length) || req.content_length > 5)', {
        phase: 'on_http_request',
        action: '{type: log}',
      }),
    },
    'with the reason': {
      ...modern('«req.url.port» == 8080'),
      message:
        '`req.url.port` is missing when the URL has no port, which ends in an error here, and the rule does not match; ask `has(req.url.port)` first',
    },
    'once for a path': modern("«conn.tls.client.subject.common_name» == 'a'"),
    'when another value is asked for': modern('has(req.url.port) && «req.content_length» > 5'),
  },
  silent: {
    'when it is asked for': modern('has(req.url.port) && req.url.port == 8080'),
    'when a part that it belongs to is asked for': modern(
      "has(conn.tls.client.subject) && conn.tls.client.subject.common_name == 'a'",
    ),
    'for values that are empty instead': modern("conn.geo.country_code == 'DE'"),
    'in rules that refuse': { policy: when('req.content_length > 5', { phase: 'on_http_request' }), profile: 'modern' },
    'for values that are always there': when('req.ContentLength > 5'),
  },
});
