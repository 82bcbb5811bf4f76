import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { CLASS_OF_QUANTIFIERS } from './class-of-quantifiers.ts';

testRule(it, CLASS_OF_QUANTIFIERS, {
  fires: {
    'for words between bars': {
      policy: when("req.Method.matches('^«[GET|POST]»$')"),
      message: '`[GET|POST]` is one sign out of those between the brackets; write `(?:GET|POST)`',
      suggested: when("req.Method.matches('^(?:GET|POST)$')"),
    },
    'with what repeats it': {
      policy: when('true', { action: '{type: url-rewrite, config: {from: "/products/?(«[.*]»+)?", to: /shop}}' }),
      suggested: when('true', { action: '{type: url-rewrite, config: {from: "/products/?(.*)?", to: /shop}}' }),
    },
  },
  silent: {
    'for classes of signs': when("req.Path.matches('[.*+]') && req.Path.matches('[a|b]') && req.Path.matches('[.]')"),
  },
});
