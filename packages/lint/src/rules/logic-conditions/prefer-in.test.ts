import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { PREFER_IN } from './prefer-in.ts';

testRule(it, PREFER_IN, {
  fires: {
    'for three comparisons': {
      policy: when("«req.Method == 'A' || 'B' == req.Method || (req.Method == 'C')» || req.Host == 'd'"),
      message: "`req.Method` is compared 3 times; write `req.Method in ['A', 'B', 'C']`",
      fixed: when("req.Method in ['A', 'B', 'C'] || req.Host == 'd'"),
    },
    'for negated comparisons': {
      policy: when("req.Host == 'd' && «req.Method != 'A' && req.Method != 'B'»"),
      fixed: when("req.Host == 'd' && !(req.Method in ['A', 'B'])"),
    },
    'for an operand that may fail': {
      policy: when("(«req.Headers['X'][0] == 'a' || req.Headers['X'][0] == 'b'») && req.Host == 'd'"),
      fixed: when("(req.Headers['X'][0] in ['a', 'b']) && req.Host == 'd'"),
    },
    'for numbers, even if the input may be a string': {
      policy: when('«res.StatusCode == 404 || res.StatusCode == 410»', {
        phase: 'outbound',
        action: '{type: custom-response}',
      }),
      fixed: when('res.StatusCode in [404, 410]', { phase: 'outbound', action: '{type: custom-response}' }),
    },
    'for each run of a chain': when(
      "«req.Method == 'A' || req.Method == 'B'» || «req.Host == 'a' || req.Host == 'b'» || req.Method == 'C'",
    ),
  },
  silent: {
    'for duplicates, which `logic/duplicate-operand` reports': when("req.Method == 'A' || req.Method == 'A'"),
    'for comparisons in different parentheses': when("(req.Host == 'a' || req.Method == 'A') || req.Method == 'B'"),
    'for a single comparison': when("req.Method == 'A' || req.Host == 'B'"),
    'for `!=` with `||`': when("req.Method != 'A' || req.Method != 'B'"),
    'for literals of different types': when("res.StatusCode == '404' || res.StatusCode == 410", {
      phase: 'outbound',
      action: '{type: custom-response}',
    }),
    'for random values': {
      policy: when('rand.int(0, 9) == 0 || rand.int(0, 9) == 1', { phase: 'on_http_request' }),
      profile: 'modern',
    },
  },
});
