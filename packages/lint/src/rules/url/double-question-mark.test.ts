import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { DOUBLE_QUESTION_MARK } from './double-question-mark.ts';

testRule(it, DOUBLE_QUESTION_MARK, {
  fires: {
    'in a redirect': {
      policy: when('true', {
        action: '{type: redirect, config: {from: "^.*$", to: "https://a.example/«?$is_args»$args"}}',
      }),
      message: '`$is_args` already is the question mark, so the query starts with `??`; remove the literal one',
    },
  },
  silent: {
    'for only one of the two': when('true', {
      action: '{type: redirect, config: {from: "^.*$", to: "https://a.example/?$args"}}',
    }),
  },
});
