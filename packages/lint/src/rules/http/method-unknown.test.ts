import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { METHOD_UNKNOWN } from './method-unknown.ts';

testRule(it, METHOD_UNKNOWN, {
  fires: {
    'for a slip, with what was meant': {
      policy: when("req.Method == «'PSOT'»"),
      message: '`PSOT` is no registered method of HTTP; did you mean `POST`?',
      suggested: when("req.Method == 'POST'"),
    },
    'in other profiles, for what is like nothing': {
      policy: when("req.method in ['GET', «'FROBNICATE'»]", { phase: 'on_http_request' }),
      profile: 'modern',
      message: '`FROBNICATE` is no registered method of HTTP; expected one such as `GET`',
    },
  },
  silent: {
    'for methods of extensions, and what caches have agreed on': when("req.Method in ['PROPFIND', 'QUERY', 'PURGE']"),
    'for small letters, which are another matter': when("req.Method == 'get'"),
  },
});
