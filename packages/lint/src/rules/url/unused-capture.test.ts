import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { UNUSED_CAPTURE } from './unused-capture.ts';

testRule(it, UNUSED_CAPTURE, {
  fires: {
    'for the last group, with a fix': {
      policy: when('true', { action: `{type: url-rewrite, config: {from: '^(.*)/v0«(/x)»?$', to: '$1/v1'}}` }),
      message: 'replacement does not use `$2`; write `(?:` to group without capturing',
      fixed: when('true', { action: `{type: url-rewrite, config: {from: '^(.*)/v0(?:/x)?$', to: '$1/v1'}}` }),
    },
    'for a group before others, without a fix that renumbers them': {
      policy: when('true', { action: `{type: url-rewrite, config: {from: '^(.*)«(a|b)»/(c)$', to: '$1/$3'}}` }),
      fixed: when('true', { action: `{type: url-rewrite, config: {from: '^(.*)(a|b)/(c)$', to: '$1/$3'}}` }),
    },
  },
  silent: {
    'for named groups': when('true', {
      action: `{type: url-rewrite, config: {from: '^(?P<rest>.*)/v0$', to: '$rest/v1'}}`,
    }),
    'in conditions, which have no replacement': when("req.Path.matches('^/(a|b)$')"),
  },
});
