import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { IN_ON_HEADER_LIST } from './in-on-header-list.ts';

testRule(it, IN_ON_HEADER_LIST, {
  fires: {
    'for a bot in the user agent': {
      policy: when("«'GPTBot' in req.Headers['User-Agent']»"),
      message: '`in` compares whole values, but `GPTBot` is only part of a `User-Agent` value; use `contains`',
      suggested: when("req.Headers['User-Agent'].exists(value, value.contains('GPTBot'))"),
    },
    'inside other operators': {
      policy: when("req.Method == 'GET' && !(«'gzip' in req.Headers['Accept-Encoding']»)"),
    },
    'in the modern profile': {
      policy: when("«'gzip' in req.headers['accept-encoding']»", { phase: 'on_http_request' }),
      profile: 'modern',
    },
  },
  silent: {
    'for a header with single-word values': when("'1' in req.Headers['X-Debug']"),
    'for a string that may be the whole value': when("'curl/8.5.0' in req.Headers['User-Agent']"),
    'for the name of a header': when("'User-Agent' in req.Headers"),
    'for a list that is not a header': when("req.Method in ['GET', 'HEAD']"),
  },
});
