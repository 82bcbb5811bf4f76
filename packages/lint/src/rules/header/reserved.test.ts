import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { RESERVED } from './reserved.ts';

testRule(it, RESERVED, {
  fires: {
    'for `Content-Length`': {
      policy: when('true', { action: '{type: add-headers, config: {headers: {«Content-Length»: "0"}}}' }),
      message: 'the edge computes `Content-Length` itself; do not set it',
    },
    'for `Host` in a response': {
      policy: when('true', {
        phase: 'outbound',
        action: '{type: add-headers, config: {headers: {«Host»: a.example.com}}}',
      }),
      message: 'responses have no `Host` header; set it in the request phase',
    },
    'for a header that the service rejects': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: add-headers, config: {headers: {«User-Agent»: x}}}',
      }),
      profile: 'modern',
      message: 'service rejects policies that set `User-Agent`; remove it',
    },
  },
  silent: {
    'for `Host` in a request': when('true', {
      action: '{type: add-headers, config: {headers: {Host: a.example.com}}}',
    }),
    'when the service accepts the header': when('true', {
      action: '{type: remove-headers, config: {headers: [User-Agent]}}',
    }),
  },
});
