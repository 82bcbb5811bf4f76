import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { CONTENT_TYPE_MISSING } from './content-type-missing.ts';

testRule(it, CONTENT_TYPE_MISSING, {
  fires: {
    'for an object': {
      policy:
        'inbound:\n  - actions:\n      - type: custom-response\n        config:\n          content: «\'{"a": 1}\'»\n',
      message: 'the body is JSON and will be sent as plain text; add `Content-Type: application/json` to `headers`',
      suggested:
        'inbound:\n  - actions:\n      - type: custom-response\n        config:\n          headers: { "Content-Type": "application/json" }\n          content: \'{"a": 1}\'\n',
    },
    'beside other headers': {
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
    'in documents that are JSON': {
      policy: '{"inbound": [{"actions": [{"type": "custom-response", "config": {"content": «"{\\"a\\": 1}"»}}]}]}',
      suggested:
        '{"inbound": [{"actions": [{"type": "custom-response", "config": { "headers": { "Content-Type": "application/json" }, "content": "{\\"a\\": 1}"}}]}]}',
    },
  },
  silent: {
    'for HTML, which is guessed': when('true', { action: '{type: custom-response, config: {content: "<p>no</p>"}}' }),
    'for what only looks like it': when('true', { action: '{type: custom-response, config: {content: "[draft] no"}}' }),
    'for a type in any case': when('true', {
      action: `{type: custom-response, config: {content: '{"a": 1}', headers: {content-TYPE: application/json}}}`,
    }),
  },
});
