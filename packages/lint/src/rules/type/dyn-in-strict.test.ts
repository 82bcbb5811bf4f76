import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { DYN_IN_STRICT } from './dyn-in-strict.ts';

testRule(it, DYN_IN_STRICT, {
  fires: {
    'with a suggested conversion': {
      policy: when("«dyn(req.Host)» == 'a'"),
      message:
        'type of `dyn(req.Host)` is unknown before evaluation; convert it, for example with `string(dyn(req.Host))`',
    },
  },
  silent: {
    'for values of a known type': when("req.Host == 'a'"),
    'for converted values': when("string(dyn(req.Host)) == 'a'"),
  },
});
