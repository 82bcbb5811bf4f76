import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { UNANCHORED } from './unanchored.ts';

testRule(it, UNANCHORED, {
  fires: {
    'and anchors paths, renumbering groups': {
      policy: `inbound: [{ actions: [{ type: url-rewrite, config: { from: "«/v0/([a-z]+)»", to: /v1/$1/$1 } }] }]`,
      suggested: `inbound: [{ actions: [{ type: url-rewrite, config: { from: "^(https?://[^/?]+)/v0/([a-z]+)", to: $1/v1/$2/$2 } }] }]`,
    },
    'for a path': {
      policy: when('true', {
        action: '{type: redirect, config: {from: "«v0/user/([0-9]+).*»", to: "v1/user?id=$1&$args"}}',
      }),
      message:
        '`v0/user/([0-9]+).*` is replaced anywhere in the URL, even in parameters; prefix it with `^(https?://[^/?]+)`, and the replacement with `$1`',
    },
  },
  silent: {
    'for a pattern with `$`': when('true', { action: '{type: redirect, config: {from: /old$, to: /new}}' }),
    'for `.*`': when('true', {
      action: '{type: redirect, config: {from: ".*", to: "$scheme://$authority/new"}}',
    }),
    'for a scheme, which occurs only at the start': when('true', {
      action: '{type: redirect, config: {from: "http://", to: "https://"}}',
    }),
  },
});
