import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { BODY_TYPE_MISMATCH } from './body-type-mismatch.ts';

testRule(it, BODY_TYPE_MISMATCH, {
  fires: {
    'for a kind of JSON': {
      policy: when('true', {
        action:
          '{type: custom-response, config: {content: "«not found»", headers: {Content-Type: application/problem+json}}}',
      }),
      message: 'the content type is `application/problem+json`, and this is no JSON; mend the body, or name its type',
    },
  },
  silent: {
    'for what is filled in': {
      policy: when('true', {
        phase: 'on_http_request',
        action:
          '{type: custom-response, config: {body: "${json.encode(1)}", headers: {content-type: application/json}}}',
      }),
      profile: 'modern',
    },
    'for other types': when('true', {
      action: '{type: custom-response, config: {content: "not found", headers: {Content-Type: text/plain}}}',
    }),
    'for an empty body': when('true', {
      action: '{type: custom-response, config: {content: "", headers: {Content-Type: application/json}}}',
    }),
  },
});
