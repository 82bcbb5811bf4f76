import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { CAPTURE_OUT_OF_RANGE } from './capture-out-of-range.ts';

testRule(it, CAPTURE_OUT_OF_RANGE, {
  fires: {
    'for a group number with too many digits': {
      policy: when('true', { action: '{type: url-rewrite, config: {from: "^(.*)/v0/$", to: "«$12»"}}' }),
      message: '`$12` inserts nothing: the pattern has one group, `$1`; use one of these, or add a group',
    },
    'in braces, for a pattern without groups': when('true', {
      action: '{type: redirect, config: {from: "^http://(?:a|b)", to: "https://«${1}»"}}',
    }),
    'in the modern profile': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: url-rewrite, config: {from: "^(a)", to: "$1«$2»"}}',
      }),
      profile: 'modern',
    },
  },
  silent: {
    'for the whole match': when('true', { action: '{type: url-rewrite, config: {from: "^a", to: "$0"}}' }),
    'for escaped dollar signs': when('true', { action: '{type: url-rewrite, config: {from: "^a", to: "$$5"}}' }),
    'for an interpolated pattern': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: url-rewrite, config: {from: "^(${req.url.scheme})", to: "$2"}}',
      }),
      profile: 'modern',
    },
  },
});
