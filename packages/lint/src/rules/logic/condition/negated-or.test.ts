import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { NEGATED_OR } from './negated-or.ts';

testRule(it, NEGATED_OR, {
  fires: {
    'for two literals': {
      policy: when("«req.Method != 'A' || req.Method != 'B'»"),
      message: "`req.Method != 'A'` or `req.Method != 'B'` holds for every value; join them by `&&` if neither may be",
      suggested: when("req.Method != 'A' && req.Method != 'B'"),
    },
    'for a header, where it is there': when("«req.Headers['X'][0] != 'a' || req.Headers['X'][0] != 'b'»"),
    'for negated lists': when("«!(req.Method in ['A', 'B']) || !(req.Method in ['C'])»"),
    'for addresses': when(
      "«!inCidrRange(conn.ClientIP, '10.0.0.0/8') || !inCidrRange(conn.ClientIP, '192.168.0.0/16')»",
    ),
    'inside of a longer condition': when("req.Host == 'a' && («req.Path != '/a' || req.Path != '/b'»)"),
  },
  silent: {
    'for different values': when("req.Method != 'A' || req.Host != 'B'"),
    'for overlapping lists': when("!(req.Method in ['A', 'B']) || !(req.Method in ['B'])"),
    'for `&&`': when("req.Method != 'A' && req.Method != 'B'"),
  },
});
