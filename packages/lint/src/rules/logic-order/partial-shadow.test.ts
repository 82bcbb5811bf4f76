import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { PARTIAL_SHADOW } from './partial-shadow.ts';

function rules(...conditions: readonly string[]): string {
  return `inbound:\n${conditions.map(condition => `  - {expressions: ["${condition}"], actions: [{type: deny}]}\n`).join('')}`;
}

testRule(it, PARTIAL_SHADOW, {
  fires: {
    'for an operand of `||`': {
      policy: rules("req.Path.startsWith('/a')", "«req.Path == '/ab'» || req.Path == '/b'"),
      message: "`req.Path == '/ab'` is unreachable: rule 1 handles every such request; remove it, or move the rule",
    },
    'for a value that several rules handle together': rules(
      "req.Method == 'A' && req.Host == 'x'",
      "req.Method == 'A' && req.Host != 'x'",
      "req.Method in ['B', «'A'»]",
    ),
    'for a list inside `||`': rules("req.Method == 'A'", "req.Host == 'x' || req.Method in [«'A'», 'B']"),
    'for address ranges': rules(
      "inCidrRange(conn.ClientIP, '10.0.0.0/8')",
      "«inCidrRange(conn.ClientIP, '10.1.0.0/16')» || inCidrRange(conn.ClientIP, '11.0.0.0/16')",
    ),
    // Without an element that fails, the others may match.
    'for a whole list whose elements may fail': rules(
      "req.Method in [req.Headers['Y'][0], 'B']",
      "req.Method == 'A' || «req.Method in [req.Headers['Y'][0], 'B']»",
    ),
  },
  silent: {
    'when every value is reachable': rules("req.Method == 'A'", "req.Method in ['B', 'C']"),
    'when a value is partly reachable': rules("req.Method == 'A' && req.Host == 'x'", "req.Method in ['A', 'B']"),
    'when the whole rule is unreachable, which `logic/unreachable-rule` reports': rules(
      "req.Method in ['A', 'B']",
      "req.Method == 'A' || req.Method == 'B'",
    ),
    'for a rule without alternatives': rules("req.Method == 'A'", "req.Host == 'x'"),
  },
});
