import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { IN_ON_HEADER_LIST } from './in-on-header-list.ts';

testRule(it, IN_ON_HEADER_LIST, {
  fires: {
    'for a bot in the user agent': {
      policy: when("«'GPTBot' in req.Headers['User-Agent']»"),
      message:
        '`in` compares whole values, and `GPTBot` is at most a part of `User-Agent`; look inside with `contains`',
      suggested: when("req.Headers['User-Agent'].exists(value, value.contains('GPTBot'))"),
    },
    'inside of other operators': {
      policy: when("req.Method == 'GET' && !(«'gzip' in req.Headers['Accept-Encoding']»)"),
    },
    'in other profiles': {
      policy: when("«'gzip' in req.headers['accept-encoding']»", { phase: 'on_http_request' }),
      profile: 'modern',
    },
  },
  silent: {
    'for a header whose values are words': when("'1' in req.Headers['X-Debug']"),
    'for a text that may be the whole value': when("'curl/8.5.0' in req.Headers['User-Agent']"),
    'for the name of a header': when("'User-Agent' in req.Headers"),
    'for a list that is no header': when("req.Method in ['GET', 'HEAD']"),
  },
});
