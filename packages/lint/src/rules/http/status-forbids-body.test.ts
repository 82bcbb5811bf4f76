import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { STATUS_FORBIDS_BODY } from './status-forbids-body.ts';

testRule(it, STATUS_FORBIDS_BODY, {
  fires: {
    'for status 304': {
      policy: when('true', { action: '{type: custom-response, config: {status_code: 304, content: "«same»"}}' }),
      message: 'response with status 304 cannot have a body; remove `content`, or use status 200',
      fixed: when('true', { action: '{type: custom-response, config: {status_code: 304}}' }),
    },
    'under the key of the modern profile': {
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
