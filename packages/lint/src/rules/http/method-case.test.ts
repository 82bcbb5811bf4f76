import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { METHOD_CASE } from './method-case.ts';

testRule(it, METHOD_CASE, {
  fires: {
    'for a lower-case method': {
      policy: when("req.Method in ['GET', «'head'»]"),
      message: '`head` never equals an HTTP method: the value compared is in upper case; write `HEAD`',
      suggested: when("req.Method in ['GET', 'HEAD']"),
    },
    'for an upper-case method after `lowerAscii()`': {
      policy: when("req.method.lowerAscii() == «'GET'»", { phase: 'on_http_request' }),
      profile: 'modern',
      suggested: when("req.method.lowerAscii() == 'get'", { phase: 'on_http_request' }),
    },
  },
  silent: {
    'for a lower-case method after `lowerAscii()`': {
      policy: when("req.method.lowerAscii() == 'get'", { phase: 'on_http_request' }),
      profile: 'modern',
    },
    'for a string that is not a method': when("req.Method == 'psot'"),
  },
});
