import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { DOUBLE_EQUALITY } from './double-equality.ts';

testRule(it, DOUBLE_EQUALITY, {
  fires: {
    'for `==` and `!=`': {
      policy: when('«double(req.ContentLength) / 3.0 == 0.5» || «1.5 != double(req.ContentLength)»'),
      message: 'floating-point numbers are rarely exactly equal; compare with a range',
    },
  },
  silent: {
    'for integers': when('req.ContentLength == 5'),
    'for ranges': when('double(req.ContentLength) > 0.5'),
  },
});
