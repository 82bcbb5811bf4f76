import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { BOOL_COMPARISON } from './bool-comparison.ts';

testRule(it, BOOL_COMPARISON, {
  fires: {
    'for `== true`': {
      policy: when("«hasReqHeader('A') == true» && req.Method == 'A'"),
      message: "comparison with `true` is redundant; write `hasReqHeader('A')`",
      fixed: when("hasReqHeader('A') && req.Method == 'A'"),
    },
    'for `!= true`': { policy: when("«hasReqHeader('A') != true»"), fixed: when("!hasReqHeader('A')") },
    'for `!= false`': { policy: when("«hasReqHeader('A') != false»"), fixed: when("hasReqHeader('A')") },
    'with the literal on the left': {
      policy: when("«false == req.Path.startsWith('/a')»"),
      fixed: when("!req.Path.startsWith('/a')"),
    },
    'keeping parentheses': {
      policy: when("«(req.Method == 'A' || req.Host == 'b') == false»"),
      fixed: when("!(req.Method == 'A' || req.Host == 'b')"),
    },
    'adding parentheses where needed': {
      policy: when("«'A' in req.Headers == false»"),
      fixed: when("!('A' in req.Headers)"),
    },
    'for a list element': {
      policy: when('«req.Cookies.map(c, c.Secure)[0] == false»'),
      fixed: when('!req.Cookies.map(c, c.Secure)[0]'),
    },
  },
  silent: {
    'for a value that may not be a boolean': {
      policy: `on_http_request:
  - actions: [{ type: set-vars, config: { vars: [{ tier: "\${req.method}" }] } }]
  - expressions: [vars.tier == true]
    actions: [{ type: deny }]
`,
      profile: 'modern',
    },
    'for a comparison of two conditions': when("hasReqHeader('A') == hasReqHeader('B')"),
  },
});
