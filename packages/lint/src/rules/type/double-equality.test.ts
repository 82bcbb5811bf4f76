import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { DOUBLE_EQUALITY } from './double-equality.ts';

testRule(it, DOUBLE_EQUALITY, {
  fires: {
    'for both operators': {
      policy: when('«double(req.ContentLength) / 3.0 == 0.5» || «1.5 != double(req.ContentLength)»'),
      message: 'numbers with fractions are hardly ever equal; compare with a range',
    },
  },
  silent: {
    'for whole numbers': when('req.ContentLength == 5'),
    'for ranges': when('double(req.ContentLength) > 0.5'),
  },
});
