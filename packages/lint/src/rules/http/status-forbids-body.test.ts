import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { STATUS_FORBIDS_BODY } from './status-forbids-body.ts';

testRule(it, STATUS_FORBIDS_BODY, {
  fires: {
    'for an answer that was not modified': {
      policy: when('true', { action: '{type: custom-response, config: {status_code: 304, content: "«same»"}}' }),
      message: 'a response with status 304 has no body; leave `content` out, or answer with 200',
      fixed: when('true', { action: '{type: custom-response, config: {status_code: 304}}' }),
    },
    'under the other key of other profiles': {
      policy:
        'on_http_request:\n  - actions:\n      - type: custom-response\n        config:\n          body: «ok»\n          status_code: 204\n',
      profile: 'modern',
      fixed:
        'on_http_request:\n  - actions:\n      - type: custom-response\n        config:\n          status_code: 204\n',
    },
  },
  silent: {
    'for an empty body': when('true', { action: '{type: custom-response, config: {status_code: 204, content: ""}}' }),
    'for other statuses': when('true', { action: '{type: custom-response, config: {status_code: 200, content: a}}' }),
  },
});
