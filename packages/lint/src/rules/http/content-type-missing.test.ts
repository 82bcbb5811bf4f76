import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { CONTENT_TYPE_MISSING } from './content-type-missing.ts';

testRule(it, CONTENT_TYPE_MISSING, {
  fires: {
    'for a JSON object': {
      policy:
        'inbound:\n  - actions:\n      - type: custom-response\n        config:\n          content: «\'{"a": 1}\'»\n',
      message: 'JSON body is sent as plain text; add `Content-Type: application/json` to `headers`',
      suggested:
        'inbound:\n  - actions:\n      - type: custom-response\n        config:\n          headers: { "Content-Type": "application/json" }\n          content: \'{"a": 1}\'\n',
    },
    'when other headers are set': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: custom-response, config: {body: «"[1, 2]"», headers: {x-a: b}}}',
      }),
      profile: 'modern',
      suggested: when('true', {
        phase: 'on_http_request',
        action:
          '{type: custom-response, config: {body: "[1, 2]", headers: { content-type: "application/json", x-a: b}}}',
      }),
    },
    'in a JSON policy': {
      policy: '{"inbound": [{"actions": [{"type": "custom-response", "config": {"content": «"{\\"a\\": 1}"»}}]}]}',
      suggested:
        '{"inbound": [{"actions": [{"type": "custom-response", "config": { "headers": { "Content-Type": "application/json" }, "content": "{\\"a\\": 1}"}}]}]}',
    },
  },
  silent: {
    'for HTML, which the edge recognizes': when('true', {
      action: '{type: custom-response, config: {content: "<p>no</p>"}}',
    }),
    'for a body that only looks like JSON': when('true', {
      action: '{type: custom-response, config: {content: "[draft] no"}}',
    }),
    'for a content type header in any case': when('true', {
      action: `{type: custom-response, config: {content: '{"a": 1}', headers: {content-TYPE: application/json}}}`,
    }),
  },
});
