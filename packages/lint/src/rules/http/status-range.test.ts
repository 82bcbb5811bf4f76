import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { STATUS_RANGE } from './status-range.ts';

testRule(it, STATUS_RANGE, {
  fires: {
    'for a refusal': {
      policy: when('true', { action: '{type: deny, config: {status_code: «199»}}' }),
      message: '199 is no status to answer with; expected one from 200 to 599',
    },
    'for comparisons, in numbers and texts': {
      policy: when("res.StatusCode == «'20'» || int(res.StatusCode) in [200, «700»]", {
        phase: 'outbound',
        action: '{type: log, config: {metadata: {a: b}}}',
      }),
      message: 'no response has the status 20; expected one from 100 to 599',
    },
    'in other profiles': {
      policy: when('res.status_code != «40»', {
        phase: 'on_http_response',
        action: '{type: log, config: {metadata: {a: b}}}',
      }),
      profile: 'modern',
    },
  },
  silent: {
    'for bounds': when("res.StatusCode >= '600' || res.StatusCode < 100", {
      phase: 'outbound',
      action: '{type: log, config: {metadata: {a: b}}}',
    }),
    'for the one by which the edge refuses': when('true', { action: '{type: deny, config: {status_code: 999}}' }),
  },
});
