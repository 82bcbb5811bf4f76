import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { UNGUARDED_OPTIONAL } from './unguarded-optional.ts';

const modern = (condition: string) => ({
  policy: when(condition, { phase: 'on_http_request', action: '{type: log}' }),
  profile: 'modern' as const,
});

testRule(it, UNGUARDED_OPTIONAL, {
  fires: {
    'and suggests a test': {
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
      message: 'condition fails with an error when the URL has no port; test `has(req.url.port)` first',
    },
    'once for a whole path': modern("«conn.tls.client.subject.common_name» == 'a'"),
    'when the test is for another value': modern('has(req.url.port) && «req.content_length» > 5'),
  },
  silent: {
    'when it is tested': modern('has(req.url.port) && req.url.port == 8080'),
    'when a value that contains it is tested': modern(
      "has(conn.tls.client.subject) && conn.tls.client.subject.common_name == 'a'",
    ),
    'for values that are empty instead of missing': modern("conn.geo.country_code == 'DE'"),
    'in rules that deny, which `sec/fails-open` reports': {
      policy: when('req.content_length > 5', { phase: 'on_http_request' }),
      profile: 'modern',
    },
    'for values that are always present': when('req.ContentLength > 5'),
  },
});
