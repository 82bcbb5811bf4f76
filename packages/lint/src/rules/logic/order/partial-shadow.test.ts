import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { PARTIAL_SHADOW } from './partial-shadow.ts';

function rules(...conditions: readonly string[]): string {
  return `inbound:\n${conditions.map(one => `  - {expressions: ["${one}"], actions: [{type: deny}]}\n`).join('')}`;
}

testRule(it, PARTIAL_SHADOW, {
  fires: {
    'for an operand of `||`': {
      policy: rules("req.Path.startsWith('/a')", "«req.Path == '/ab'» || req.Path == '/b'"),
      message: "`req.Path == '/ab'` never gets here: rule 1 ends all of it; remove it, or move the rule",
    },
    'for what several rules end together': rules(
      "req.Method == 'A' && req.Host == 'x'",
      "req.Method == 'A' && req.Host != 'x'",
      "req.Method in ['B', «'A'»]",
    ),
    'for a list inside of `||`': rules("req.Method == 'A'", "req.Host == 'x' || req.Method in [«'A'», 'B']"),
    'for ranges of addresses': rules(
      "inCidrRange(conn.ClientIP, '10.0.0.0/8')",
      "«inCidrRange(conn.ClientIP, '10.1.0.0/16')» || inCidrRange(conn.ClientIP, '11.0.0.0/16')",
    ),
  },
  silent: {
    'where all of it is left': rules("req.Method == 'A'", "req.Method in ['B', 'C']"),
    'where some of it is left': rules("req.Method == 'A' && req.Host == 'x'", "req.Method in ['A', 'B']"),
    'where the whole rule is never reached': rules(
      "req.Method in ['A', 'B']",
      "req.Method == 'A' || req.Method == 'B'",
    ),
    'for a rule without alternatives': rules("req.Method == 'A'", "req.Host == 'x'"),
  },
});
