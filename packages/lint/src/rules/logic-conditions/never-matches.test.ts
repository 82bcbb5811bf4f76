import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { NEVER_MATCHES } from './never-matches.ts';

testRule(it, NEVER_MATCHES, {
  fires: {
    'naming the contradictory operands': {
      policy: when("«req.Method == 'A' && req.Host == 'x' && req.Method in ['B', 'C']»"),
      message:
        "`req.Method == 'A'` and `req.Method in ['B', 'C']` are never true together, so the rule never matches; correct the condition",
    },
    'for an alternative': {
      policy: when("req.Host == 'x' || («req.Path.startsWith('/a') && req.Path.startsWith('/b')»)"),
      message:
        "`req.Path.startsWith('/a')` and `req.Path.startsWith('/b')` are never true together, so this alternative has no effect; correct the condition",
    },
    'for a single test': {
      policy: when('«size(req.Headers) < 0»'),
      message: 'condition is never true, so the rule never matches; correct the condition',
    },
    'for a header that is read although it is missing': when("«!('X' in req.Headers) && req.Headers['X'][0] == 'a'»"),
    'for disjoint address ranges': when(
      "«inCidrRange(conn.ClientIP, '10.0.0.0/8') && inCidrRange(conn.ClientIP, '11.0.0.0/8')»",
    ),
    'for contradictory suffixes': when("«req.Path.endsWith('.php') && req.Path.endsWith('.html')»"),
    'for a status compared with a string and a number': when("«res.StatusCode == '404' && res.StatusCode >= 500»", {
      phase: 'outbound',
      action: '{type: custom-response}',
    }),
    'for a prefix and a regular expression': when("«req.Path.startsWith('/a') && req.Path.matches('^/[b-z]+$')»"),
    'for upper case of a lower-case string': when("«req.Host.lowerAscii() == 'A.example.com'»"),
    'for parts of a path that differ': when("«req.Path.split('/')[1] == 'a' && req.Path.split('/')[1] == 'b'»"),
    'for remainders': when('«req.ContentLength % 4 == 0 && req.ContentLength % 2 == 1»'),
    'at the operand that is never true': when(
      "req.Host == 'x' && ((«req.Path == '/a' && req.Path == '/b'») || req.Path == '/c')",
    ),
  },
  silent: {
    'for different inputs': when("req.Method == 'A' && req.Host == 'B'"),
    'for a constant, which `logic/constant-expression` reports': when("req.Method == 'A' && false"),
    'for bounds, which `logic/impossible-range` reports': when('req.ContentLength > 500 && req.ContentLength < 400'),
    'for a string that equals no canonical number': when("res.StatusCode == '+404' && res.StatusCode >= 400", {
      phase: 'outbound',
      action: '{type: custom-response}',
    }),
  },
});
