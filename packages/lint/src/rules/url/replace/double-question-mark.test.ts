import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { DOUBLE_QUESTION_MARK } from './double-question-mark.ts';

testRule(it, DOUBLE_QUESTION_MARK, {
  fires: {
    'in a redirect': {
      policy: when('true', {
        action: '{type: redirect, config: {from: "^.*$", to: "https://a.example/«?$is_args»$args"}}',
      }),
      message: '`$is_args` is the question mark already, so that the query begins with `??`; leave the written one out',
    },
  },
  silent: {
    'for one of both': when('true', {
      action: '{type: redirect, config: {from: "^.*$", to: "https://a.example/?$args"}}',
    }),
  },
});
