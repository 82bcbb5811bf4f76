import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { MIXED_LIST } from './mixed-list.ts';

testRule(it, MIXED_LIST, {
  fires: {
    'with the types of the list': {
      policy: when("req.Method in «['GET', 1, true]»"),
      message: 'list mixes the types `string`, `int`, `bool`, which are never equal; use one type',
    },
  },
  silent: {
    'for numbers of several types': when('req.ContentLength in [1, 2u, 3.5]'),
    'for values of one type': when("req.Method in ['GET', req.Host]"),
    'for lists outside a membership test': when("size(['a', 1]) > 0"),
    'for inputs that are lists': when("'GET' in req.Headers['X-Methods']"),
  },
});
