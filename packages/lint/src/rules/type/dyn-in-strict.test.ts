import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { DYN_IN_STRICT } from './dyn-in-strict.ts';

testRule(it, DYN_IN_STRICT, {
  fires: {
    'with the conversion': {
      policy: when("«dyn(req.Host)» == 'a'"),
      message:
        '`dyn(req.Host)` is of a type that is only known when it is there; convert it, as in `string(dyn(req.Host))`',
    },
  },
  silent: {
    'for values of a known type': when("req.Host == 'a'"),
    'for values that are converted': when("string(dyn(req.Host)) == 'a'"),
  },
});
