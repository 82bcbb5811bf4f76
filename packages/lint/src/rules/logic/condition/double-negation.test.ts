import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { DOUBLE_NEGATION } from './double-negation.ts';

testRule(it, DOUBLE_NEGATION, {
  fires: {
    'for `!=`': {
      policy: when("req.Host == 'a' && «!(req.Method != 'A')»"),
      message: "this is `req.Method == 'A'`, with one negation more than it needs",
      fixed: when("req.Host == 'a' && req.Method == 'A'"),
    },
    'for what may fail': {
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
    'inside of loops': {
      policy: when("req.Headers.exists(h, «!(h != 'a')»)"),
      fixed: when("req.Headers.exists(h, h == 'a')"),
    },
  },
  silent: {
    'for order, of which NaN has none': when('!(double(conn.Geo.Latitude) < 5.0)'),
    'for other negations': when("!(req.Method in ['A']) && !hasReqHeader('B')"),
  },
});
