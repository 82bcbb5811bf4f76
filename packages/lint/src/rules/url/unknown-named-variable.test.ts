import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { UNKNOWN_NAMED_VARIABLE } from './unknown-named-variable.ts';

testRule(it, UNKNOWN_NAMED_VARIABLE, {
  fires: {
    'for a typo': {
      policy: when('true', { action: '{type: redirect, config: {from: "^.*$", to: "https://«$hots»/"}}' }),
      message: '`$hots` inserts nothing; did you mean `$host`?',
      suggested: when('true', { action: '{type: redirect, config: {from: "^.*$", to: "https://$host/"}}' }),
    },
    'for letters directly after a group number': {
      policy: when('true', { action: '{type: url-rewrite, config: {from: "^(a)", to: "«$1x»"}}' }),
      message: '`$1x` inserts nothing; all of `1x` is read as the name, so separate it from `$1`',
    },
    'for variables of other profiles': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: url-rewrite, config: {from: "^(a)", to: "$1?«$args»"}}',
      }),
      profile: 'modern',
      message: '`$args` inserts nothing; use a group of the pattern, or an expression such as `${req.url.query}`',
    },
  },
  silent: {
    'for known variables and groups': when('true', {
      action: '{type: url-rewrite, config: {from: "^(?P<all>.*)$", to: "$all$scheme$arg_page$arg_from-$query_string"}}',
    }),
  },
});
