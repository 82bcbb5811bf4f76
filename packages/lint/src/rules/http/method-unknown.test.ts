import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { METHOD_UNKNOWN } from './method-unknown.ts';

testRule(it, METHOD_UNKNOWN, {
  fires: {
    'for a typo, with a suggestion': {
      policy: when("req.Method == «'PSOT'»"),
      message: '`PSOT` is not a registered HTTP method; did you mean `POST`?',
      suggested: when("req.Method == 'POST'"),
    },
    'in the modern profile, without a suggestion if no method is similar': {
      policy: when("req.method in ['GET', «'FROBNICATE'»]", { phase: 'on_http_request' }),
      profile: 'modern',
      message: '`FROBNICATE` is not a registered HTTP method; use a method such as `GET`',
    },
  },
  silent: {
    'for WebDAV methods, new registrations and `PURGE`': when("req.Method in ['PROPFIND', 'QUERY', 'PURGE']"),
    'for a lower-case method, which `http/method-case` reports': when("req.Method == 'get'"),
  },
});
