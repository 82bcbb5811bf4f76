import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { CLASS_OF_QUANTIFIERS } from './class-of-quantifiers.ts';

testRule(it, CLASS_OF_QUANTIFIERS, {
  fires: {
    'for words separated by bars': {
      policy: when("req.Method.matches('^«[GET|POST]»$')"),
      message: '`[GET|POST]` matches a single character; write `(?:GET|POST)`',
      suggested: when("req.Method.matches('^(?:GET|POST)$')"),
    },
    'and replaces its quantifier too': {
      policy: when('true', { action: '{type: url-rewrite, config: {from: "/products/?(«[.*]»+)?", to: /shop}}' }),
      suggested: when('true', { action: '{type: url-rewrite, config: {from: "/products/?(.*)?", to: /shop}}' }),
    },
  },
  silent: {
    'for ordinary character classes': when(
      "req.Path.matches('[.*+]') && req.Path.matches('[a|b]') && req.Path.matches('[.]')",
    ),
  },
});
