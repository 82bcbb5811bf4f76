import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { CHEAP_FIRST } from './cheap-first.ts';

testRule(it, CHEAP_FIRST, {
  fires: {
    'for a loop': {
      policy: when("getReqHeader('User-Agent').exists(a, a.contains('bot')) && «req.Method in ['GET', 'HEAD']»"),
      message: "`req.Method in ['GET', 'HEAD']` costs far less than what stands before it; ask it first",
      suggested: when("req.Method in ['GET', 'HEAD'] && getReqHeader('User-Agent').exists(a, a.contains('bot'))"),
    },
    'in brackets, which stay': {
      policy: when("(req.Path.matches('^/a[0-9]+')) && («req.Method == 'POST'»)"),
      suggested: when("(req.Method == 'POST') && (req.Path.matches('^/a[0-9]+'))"),
    },
  },
  silent: {
    'for cheap ones first': when("req.Method == 'POST' && req.Path.matches('^/a[0-9]+')"),
    'for what costs as much': when("req.Path.matches('^/a[0-9]+') && req.Host.matches('^a[0-9]+')"),
    'where a value may be missing': when("req.Path.matches('^/a[0-9]+') && req.Headers['X-A'][0] == 'b'"),
  },
});
