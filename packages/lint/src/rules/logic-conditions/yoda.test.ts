import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { YODA } from './yoda.ts';

testRule(it, YODA, {
  fires: {
    'for order comparisons, which it mirrors': {
      policy: when('«10 < req.ContentLength» && «20 >= req.ContentLength»'),
      message: 'literal is on the left of the comparison; write `req.ContentLength > 10`',
      fixed: when('req.ContentLength > 10 && req.ContentLength <= 20'),
    },
    'keeping parentheses': {
      policy: when("«('a') != (req.Host + 'b')»"),
      fixed: when("(req.Host + 'b') != ('a')"),
    },
  },
  silent: {
    'for membership': when("'X' in req.Headers"),
    'for two literals': when('1 == 2'),
  },
});
