import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { DOUBLE_NEGATION } from './double-negation.ts';

testRule(it, DOUBLE_NEGATION, {
  fires: {
    'for `!=`': {
      policy: when("req.Host == 'a' && «!(req.Method != 'A')»"),
      message: "negated comparison; write `req.Method == 'A'`",
      fixed: when("req.Host == 'a' && req.Method == 'A'"),
    },
    'for an operand that may fail': {
      policy: when("«!(req.Headers['X'][0] == 'a')»"),
      fixed: when("req.Headers['X'][0] != 'a'"),
    },
    'as an operand of a comparison': {
      policy: when("true == «!(req.Method == 'A')»"),
      fixed: when("true == (req.Method != 'A')"),
    },
    'keeping parentheses of its operands': {
      policy: when("«!((req.Method + 'a') == (req.Host))»"),
      fixed: when("(req.Method + 'a') != (req.Host)"),
    },
    'inside macros': {
      policy: when("req.Headers.exists(h, «!(h != 'a')»)"),
      fixed: when("req.Headers.exists(h, h == 'a')"),
    },
  },
  silent: {
    'for order comparisons, which are all false for NaN': when('!(double(conn.Geo.Latitude) < 5.0)'),
    'for other negations': when("!(req.Method in ['A']) && !hasReqHeader('B')"),
  },
});
