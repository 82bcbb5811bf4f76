import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { STATUS_RANGE } from './status-range.ts';

testRule(it, STATUS_RANGE, {
  fires: {
    'for `deny`': {
      policy: when('true', { action: '{type: deny, config: {status_code: «199»}}' }),
      message: '199 is not a valid final response status; use one from 200 to 599',
    },
    'for comparisons with numbers and strings': {
      policy: when("res.StatusCode == «'20'» || int(res.StatusCode) in [200, «700»]", {
        phase: 'outbound',
        action: '{type: log, config: {metadata: {a: b}}}',
      }),
      message: '20 is not a valid response status; use one from 100 to 599',
    },
    'in the modern profile': {
      policy: when('res.status_code != «40»', {
        phase: 'on_http_response',
        action: '{type: log, config: {metadata: {a: b}}}',
      }),
      profile: 'modern',
    },
  },
  silent: {
    'for the bounds of a range': when("res.StatusCode >= '600' || res.StatusCode < 100", {
      phase: 'outbound',
      action: '{type: log, config: {metadata: {a: b}}}',
    }),
    'for the status that the edge denies with by default': when('true', {
      action: '{type: deny, config: {status_code: 999}}',
    }),
  },
});
