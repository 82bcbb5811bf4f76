import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { USELESS_CONVERSION } from './useless-conversion.ts';

testRule(it, USELESS_CONVERSION, {
  fires: {
    'and removes it': {
      policy: when("«int(req.ContentLength)» > 5 && «string(req.Headers['X-A'][0])» == 'a'"),
      message: '`req.ContentLength` already has the type `int`; remove the conversion',
      fixed: when("req.ContentLength > 5 && req.Headers['X-A'][0] == 'a'"),
    },
    'and adds parentheses where needed': {
      policy: when("«string(req.Host + 'a')».startsWith('b')"),
      fixed: when("(req.Host + 'a').startsWith('b')"),
    },
  },
  silent: {
    'for conversions to another type': when("string(req.ContentLength) == '5' && double(req.ContentLength) > 0.5"),
    'for values that may have another type': {
      policy: when('string(res.StatusCode) == "200"', { phase: 'outbound', action: '{type: log}' }),
    },
  },
});
