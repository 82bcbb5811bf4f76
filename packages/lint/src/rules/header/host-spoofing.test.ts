import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { HOST_SPOOFING } from './host-spoofing.ts';

testRule(it, HOST_SPOOFING, {
  fires: {
    'for an interpolation': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: redirect, config: {to: "https://${«req.host»}/${req.url.path}"}}',
      }),
      profile: 'modern',
      message: '`req.host` is the host that the client sent; write a fixed host, or check it in a condition',
    },
  },
  silent: {
    'when a condition checks the host': when("req.Host in ['a.example.com', 'b.example.com']", {
      action: '{type: redirect, config: {from: "^http://.*$", to: "https://$host$uri"}}',
    }),
    'for a rewrite, which the client never sees': when('true', {
      action: '{type: url-rewrite, config: {from: "^.*$", to: "$scheme://$authority/new"}}',
    }),
  },
});
