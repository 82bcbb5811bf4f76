import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { UNKNOWN_NAMED_VARIABLE } from './unknown-named-variable.ts';

testRule(it, UNKNOWN_NAMED_VARIABLE, {
  fires: {
    'for a slip': {
      policy: when('true', { action: '{type: redirect, config: {from: "^.*$", to: "https://«$hots»/"}}' }),
      message: '`$hots` stands for nothing; did you mean `$host`?',
      suggested: when('true', { action: '{type: redirect, config: {from: "^.*$", to: "https://$host/"}}' }),
    },
    'for letters right behind a number': {
      policy: when('true', { action: '{type: url-rewrite, config: {from: "^(a)", to: "«$1x»"}}' }),
      message: '`$1x` stands for nothing; all of `1x` is taken for its name, so put something else behind `$1`',
    },
    'for names that other profiles had': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: url-rewrite, config: {from: "^(a)", to: "$1?«$args»"}}',
      }),
      profile: 'modern',
      message:
        '`$args` stands for nothing; expected a group of the pattern; parts of the request are expressions here, such as `${req.url.query}`',
    },
  },
  silent: {
    'for all that is known': when('true', {
      action: '{type: url-rewrite, config: {from: "^(?P<all>.*)$", to: "$all$scheme$arg_page$arg_from-$query_string"}}',
    }),
  },
});
