import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { NEVER_MATCHES } from './never-matches.ts';

testRule(it, NEVER_MATCHES, {
  fires: {
    'naming what contradicts each other': {
      policy: when("«req.Method == 'A' && req.Host == 'x' && req.Method in ['B', 'C']»"),
      message:
        "`req.Method == 'A'` and `req.Method in ['B', 'C']` can never hold together, so the rule never matches; ask for what can be",
    },
    'for an alternative': {
      policy: when("req.Host == 'x' || («req.Path.startsWith('/a') && req.Path.startsWith('/b')»)"),
      message:
        "`req.Path.startsWith('/a')` and `req.Path.startsWith('/b')` can never hold together, so this alternative adds nothing; ask for what can be",
    },
    'for a single test': {
      policy: when('«size(req.Headers) < 0»'),
      message: 'this can never hold, so the rule never matches; ask for what can be',
    },
    'for an absent header that is read': when("«!('X' in req.Headers) && req.Headers['X'][0] == 'a'»"),
    'for ranges of addresses': when(
      "«inCidrRange(conn.ClientIP, '10.0.0.0/8') && inCidrRange(conn.ClientIP, '11.0.0.0/8')»",
    ),
    'for the ends of a text': when("«req.Path.endsWith('.php') && req.Path.endsWith('.html')»"),
    'for a status as a text and as a number': when("«res.StatusCode == '404' && res.StatusCode >= 500»", {
      phase: 'outbound',
      action: '{type: custom-response}',
    }),
    'at the operand that spoils a condition': when(
      "req.Host == 'x' && ((«req.Path == '/a' && req.Path == '/b'») || req.Path == '/c')",
    ),
  },
  silent: {
    'for different values': when("req.Method == 'A' && req.Host == 'B'"),
    'for a constant': when("req.Method == 'A' && false"),
    'for numbers in order, which are another lint rule': when('req.ContentLength > 500 && req.ContentLength < 400'),
    'for a text that is read in another way': when("res.StatusCode == '+404' && res.StatusCode >= 400", {
      phase: 'outbound',
      action: '{type: custom-response}',
    }),
  },
});
