import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { AND_OR_PRECEDENCE } from './and-or-precedence.ts';

const [A, B, C, D] = ["req.Method == 'A'", "req.Host == 'b'", "req.Path == '/c'", "req.URL == 'd'"];

testRule(it, AND_OR_PRECEDENCE, {
  fires: {
    'at the second operand': {
      policy: when(`${A} || «${B} && ${C}»`),
      message: '`&&` binds tighter than the adjacent `||`; add parentheses',
      fixed: when(`${A} || (${B} && ${C})`),
    },
    'at each `&&` of a chain': {
      policy: when(`«${A} && ${B}» || «${C} && ${D}»`),
      fixed: when(`(${A} && ${B}) || (${C} && ${D})`),
    },
    'at the whole of a longer chain': { policy: when(`(«${A} && ${B} && ${C}» || ${D})`) },
    'when an operand starts with a parenthesis': { policy: when(`${D} || «(${A} || ${B}) && (${C} || ${D})»`) },
  },
  silent: {
    'for operands in parentheses': when(`${A} || ( (${B} && ${C}) )`),
    'for `||` inside `&&`, which needs parentheses anyway': when(`${A} && (${B} || ${C})`),
  },
});
