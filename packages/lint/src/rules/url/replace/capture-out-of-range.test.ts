import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { CAPTURE_OUT_OF_RANGE } from './capture-out-of-range.ts';

testRule(it, CAPTURE_OUT_OF_RANGE, {
  fires: {
    'for two digits that were meant as one': {
      policy: when('true', { action: '{type: url-rewrite, config: {from: "^(.*)/v0/$", to: "«$12»"}}' }),
      message:
        '`$12` stands for nothing: the pattern has one group, `$1`; name one of these, or put brackets around what is meant',
    },
    'in braces, and without any group': when('true', {
      action: '{type: redirect, config: {from: "^http://(?:a|b)", to: "https://«${1}»"}}',
    }),
    'in other profiles': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: url-rewrite, config: {from: "^(a)", to: "$1«$2»"}}',
      }),
      profile: 'modern',
    },
  },
  silent: {
    'for the whole match': when('true', { action: '{type: url-rewrite, config: {from: "^a", to: "$0"}}' }),
    'for dollar signs that are meant': when('true', { action: '{type: url-rewrite, config: {from: "^a", to: "$$5"}}' }),
    'where the pattern is made when it runs': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: url-rewrite, config: {from: "^(${req.url.scheme})", to: "$2"}}',
      }),
      profile: 'modern',
    },
  },
});
