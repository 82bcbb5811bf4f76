import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { VALUE_INVALID } from './value-invalid.ts';

testRule(it, VALUE_INVALID, {
  fires: {
    'for a line break in a block scalar': {
      policy:
        'inbound:\n  - actions:\n      - type: add-headers\n        config:\n          headers:\n            X-Via: |-\n              edge«\n              »next\n',
      message: 'value of `X-Via` contains the control character U+000A; remove it',
    },
    'in a custom response': when('true', { action: '{type: custom-response, config: {headers: {X-A: "a«\\0»b"}}}' }),
  },
  silent: {
    'for bodies': when('true', { action: '{type: custom-response, config: {content: "a\\nb"}}' }),
    'for tabs and non-ASCII letters': when('true', {
      action: '{type: add-headers, config: {headers: {X-A: "a\\tß"}}}',
    }),
  },
});
