import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { UNUSED_CAPTURE } from './unused-capture.ts';

testRule(it, UNUSED_CAPTURE, {
  fires: {
    'for the last group, which is mended': {
      policy: when('true', { action: `{type: url-rewrite, config: {from: '^(.*)/v0«(/x)»?$', to: '$1/v1'}}` }),
      message: 'the replacement names no `$2`; write `(?:` where nothing is to be remembered',
      fixed: when('true', { action: `{type: url-rewrite, config: {from: '^(.*)/v0(?:/x)?$', to: '$1/v1'}}` }),
    },
    'for one before others, without a change of their numbers': {
      policy: when('true', { action: `{type: url-rewrite, config: {from: '^(.*)«(a|b)»/(c)$', to: '$1/$3'}}` }),
      fixed: when('true', { action: `{type: url-rewrite, config: {from: '^(.*)(a|b)/(c)$', to: '$1/$3'}}` }),
    },
  },
  silent: {
    'for groups by name': when('true', {
      action: `{type: url-rewrite, config: {from: '^(?P<rest>.*)/v0$', to: '$rest/v1'}}`,
    }),
    'in conditions, where nothing is put in': when("req.Path.matches('^/(a|b)$')"),
  },
});
