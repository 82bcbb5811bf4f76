import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { DENY_SUCCESS_STATUS } from './deny-success-status.ts';

testRule(it, DENY_SUCCESS_STATUS, {
  fires: {
    'for a redirect': {
      policy: when('true', { action: '{type: deny, config: {status_code: «302»}}' }),
      message: '`deny` refuses with 302, which stands for no error; use one from 400 on, such as 403',
    },
  },
  silent: {
    'for answers': when('true', { action: '{type: custom-response, config: {status_code: 200, content: fine}}' }),
    'for errors, and without a status': when('true', { action: '{type: deny}' }),
  },
});
