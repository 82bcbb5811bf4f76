import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { RESERVED } from './reserved.ts';

testRule(it, RESERVED, {
  fires: {
    'for the length': {
      policy: when('true', { action: '{type: add-headers, config: {headers: {«Content-Length»: "0"}}}' }),
      message: 'the edge reckons `Content-Length` itself; do not set it here',
    },
    'for the host of a response': {
      policy: when('true', {
        phase: 'outbound',
        action: '{type: add-headers, config: {headers: {«Host»: a.example.com}}}',
      }),
      message: 'responses have no `Host`; set it in the phase of the request',
    },
    'for what the service refuses': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: add-headers, config: {headers: {«User-Agent»: x}}}',
      }),
      profile: 'modern',
      message: 'the service refuses to set `User-Agent` in a policy; leave it out',
    },
  },
  silent: {
    'for the host of a request': when('true', {
      action: '{type: add-headers, config: {headers: {Host: a.example.com}}}',
    }),
    'where the service takes it': when('true', { action: '{type: remove-headers, config: {headers: [User-Agent]}}' }),
  },
});
