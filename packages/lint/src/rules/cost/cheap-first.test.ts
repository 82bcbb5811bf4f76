import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { CHEAP_FIRST } from './cheap-first.ts';

testRule(it, CHEAP_FIRST, {
  fires: {
    'for a comparison after a loop': {
      policy: when("getReqHeader('User-Agent').exists(a, a.contains('bot')) && «req.Method in ['GET', 'HEAD']»"),
      message: "`req.Method in ['GET', 'HEAD']` costs far less than the operand before it; move it to the front",
      suggested: when("req.Method in ['GET', 'HEAD'] && getReqHeader('User-Agent').exists(a, a.contains('bot'))"),
    },
    'for operands in parentheses, which the fix keeps': {
      policy: when("(req.Path.matches('^/a[0-9]+')) && («req.Method == 'POST'»)"),
      suggested: when("(req.Method == 'POST') && (req.Path.matches('^/a[0-9]+'))"),
    },
  },
  silent: {
    'when the cheap operand comes first': when("req.Method == 'POST' && req.Path.matches('^/a[0-9]+')"),
    'when both operands cost about the same': when("req.Path.matches('^/a[0-9]+') && req.Host.matches('^a[0-9]+')"),
    'when the second operand may fail on a missing value': when(
      "req.Path.matches('^/a[0-9]+') && req.Headers['X-A'][0] == 'b'",
    ),
  },
});
