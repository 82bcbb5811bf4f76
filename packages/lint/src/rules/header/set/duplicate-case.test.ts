import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { DUPLICATE_CASE } from './duplicate-case.ts';

testRule(it, DUPLICATE_CASE, {
  fires: {
    'and leaves the later one out': {
      policy: `inbound: [{ actions: [{ type: add-headers, config: { headers: { X-A: b, «x-a»: c } } }] }]`,
      suggested: `inbound: [{ actions: [{ type: add-headers, config: { headers: { X-A: b } } }] }]`,
    },
    'for each after the first': {
      policy: when('true', { action: '{type: custom-response, config: {headers: {a-b: 1x, «A-B»: 2x, «a-B»: 3x}}}' }),
      message: '`A-B` is the same header as `a-b`; write it once',
    },
  },
  silent: {
    'for two headers': when('true', { action: '{type: custom-response, config: {headers: {a-b: 1x, a-c: 2x}}}' }),
  },
});
