import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { NEGATED_OR } from './negated-or.ts';

testRule(it, NEGATED_OR, {
  fires: {
    'for two literals': {
      policy: when("«req.Method != 'A' || req.Method != 'B'»"),
      message: "`req.Method != 'A'` or `req.Method != 'B'` is true for every value; use `&&` to exclude both",
      suggested: when("req.Method != 'A' && req.Method != 'B'"),
    },
    'for a header, if it exists': when("«req.Headers['X'][0] != 'a' || req.Headers['X'][0] != 'b'»"),
    'for negated lists': when("«!(req.Method in ['A', 'B']) || !(req.Method in ['C'])»"),
    'for address ranges': when(
      "«!inCidrRange(conn.ClientIP, '10.0.0.0/8') || !inCidrRange(conn.ClientIP, '192.168.0.0/16')»",
    ),
    'inside a longer condition': when("req.Host == 'a' && («req.Path != '/a' || req.Path != '/b'»)"),
  },
  silent: {
    'for different inputs': when("req.Method != 'A' || req.Host != 'B'"),
    'for overlapping lists': when("!(req.Method in ['A', 'B']) || !(req.Method in ['B'])"),
    'for `&&`': when("req.Method != 'A' && req.Method != 'B'"),
  },
});
