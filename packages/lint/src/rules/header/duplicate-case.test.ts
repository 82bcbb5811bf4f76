import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { DUPLICATE_CASE } from './duplicate-case.ts';

testRule(it, DUPLICATE_CASE, {
  fires: {
    'and suggests removing the later one': {
      policy: `inbound: [{ actions: [{ type: add-headers, config: { headers: { X-A: b, «x-a»: c } } }] }]`,
      suggested: `inbound: [{ actions: [{ type: add-headers, config: { headers: { X-A: b } } }] }]`,
    },
    'for every spelling after the first': {
      policy: when('true', { action: '{type: custom-response, config: {headers: {a-b: 1x, «A-B»: 2x, «a-B»: 3x}}}' }),
      message: '`A-B` is the same header as `a-b`; set it once',
    },
  },
  silent: {
    'for two different headers': when('true', {
      action: '{type: custom-response, config: {headers: {a-b: 1x, a-c: 2x}}}',
    }),
  },
});
