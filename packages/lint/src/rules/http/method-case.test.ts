import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { METHOD_CASE } from './method-case.ts';

testRule(it, METHOD_CASE, {
  fires: {
    'for small letters': {
      policy: when("req.Method in ['GET', «'head'»]"),
      message: '`head` never equals a method, which is in capital letters; write `HEAD`',
      suggested: when("req.Method in ['GET', 'HEAD']"),
    },
    'for capital letters where they were made small': {
      policy: when("req.method.lowerAscii() == «'GET'»", { phase: 'on_http_request' }),
      profile: 'modern',
      suggested: when("req.method.lowerAscii() == 'get'", { phase: 'on_http_request' }),
    },
  },
  silent: {
    'for small letters where they were made small': {
      policy: when("req.method.lowerAscii() == 'get'", { phase: 'on_http_request' }),
      profile: 'modern',
    },
    'for texts that are no methods': when("req.Method == 'psot'"),
  },
});
