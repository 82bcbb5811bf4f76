import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { MIXED_LIST } from './mixed-list.ts';

testRule(it, MIXED_LIST, {
  fires: {
    'with the types': {
      policy: when("req.Method in «['GET', 1, true]»"),
      message: 'the list has values of the types `string` and `int` and `bool`, which are never equal; use one type',
    },
  },
  silent: {
    'for numbers of several kinds': when('req.ContentLength in [1, 2u, 3.5]'),
    'for values of one type': when("req.Method in ['GET', req.Host]"),
    'for lists that nothing is looked up in': when("size(['a', 1]) > 0"),
    'for what is not a list of literals': when("'GET' in req.Headers['X-Methods']"),
  },
});
