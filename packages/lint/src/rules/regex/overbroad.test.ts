import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { OVERBROAD } from './overbroad.ts';

testRule(it, OVERBROAD, {
  fires: {
    'for anything': {
      policy: when("req.Path.matches('«.*»')"),
      message: 'every text matches `.*`: all of it may be missing; ask for something that must be there',
    },
    'for an empty alternative in a rewrite': {
      policy: when('true', { action: '{type: url-rewrite, config: {from: "«|/old»", to: /new}}' }),
      message: 'every text matches `|/old`: one of its alternatives is empty; leave that out',
    },
    'for parts that may all be missing': when("req.Path.matches('«(/api)?(/v1)*»')"),
  },
  silent: {
    'for all of a URL that is replaced': when('true', {
      action: '{type: redirect, config: {from: ".*", to: "https://new.example.com/"}}',
    }),
    'for a part that may be missing': when("req.Host.matches('^(www[.]|)example[.]com$')"),
    'for nothing at all': when("req.Path.matches('^$')"),
  },
});
