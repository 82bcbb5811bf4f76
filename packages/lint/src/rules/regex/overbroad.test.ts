import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { OVERBROAD } from './overbroad.ts';

testRule(it, OVERBROAD, {
  fires: {
    'for `.*`': {
      policy: when("req.Path.matches('«.*»')"),
      message: '`.*` matches every string: every part of it is optional; require something',
    },
    'for an empty alternative in a rewrite': {
      policy: when('true', { action: '{type: url-rewrite, config: {from: "«|/old»", to: /new}}' }),
      message: '`|/old` matches every string: an alternative is empty; remove it',
    },
    'for a pattern of optional parts': when("req.Path.matches('«(/api)?(/v1)*»')"),
  },
  silent: {
    'for `.*` in a redirect': when('true', {
      action: '{type: redirect, config: {from: ".*", to: "https://new.example.com/"}}',
    }),
    'for an optional part of an anchored pattern': when("req.Host.matches('^(www[.]|)example[.]com$')"),
    'for the empty string alone': when("req.Path.matches('^$')"),
  },
});
