import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { BODY_TYPE_MISMATCH } from './body-type-mismatch.ts';

testRule(it, BODY_TYPE_MISMATCH, {
  fires: {
    'for a JSON-based content type': {
      policy: when('true', {
        action:
          '{type: custom-response, config: {content: "«not found»", headers: {Content-Type: application/problem+json}}}',
      }),
      message:
        'content type is `application/problem+json`, but the body is not valid JSON; fix the body, or change its type',
    },
  },
  silent: {
    'for an interpolated body': {
      policy: when('true', {
        phase: 'on_http_request',
        action:
          '{type: custom-response, config: {body: "${json.encode(1)}", headers: {content-type: application/json}}}',
      }),
      profile: 'modern',
    },
    'for other content types': when('true', {
      action: '{type: custom-response, config: {content: "not found", headers: {Content-Type: text/plain}}}',
    }),
    'for an empty body': when('true', {
      action: '{type: custom-response, config: {content: "", headers: {Content-Type: application/json}}}',
    }),
  },
});
