import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { YODA } from './yoda.ts';

testRule(it, YODA, {
  fires: {
    'for order, which it turns around': {
      policy: when('«10 < req.ContentLength» && «20 >= req.ContentLength»'),
      message: 'the comparison begins with the literal; write `req.ContentLength > 10`',
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
