import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { DUPLICATE_OPERAND } from './duplicate-operand.ts';

const [A, B] = ["req.Method == 'A'", "req.Host == 'b'"];

testRule(it, DUPLICATE_OPERAND, {
  fires: {
    'for what is written differently': {
      policy: when(`${A} && ${B} && («req.Method=="A"»)`),
      message: '`req.Method=="A"` stands in this chain of `&&` already; remove it, or ask what was meant',
      fixed: when(`${A} && ${B}`),
    },
    'in a chain inside of another one': {
      policy: when(`${B} && ((${A}) || «${A}»)`),
      fixed: when(`${B} && ((${A}))`),
    },
    'for each repetition': {
      policy: when(`${A} || «${A}» || ${B} || «${A}»`),
      fixed: when(`${A} || ${B}`),
    },
    'without a fix where a parenthesis would be left over': {
      policy: when(`(${A} || ${B}) || («${A}»)`),
      fixed: when(`(${A} || ${B}) || (${A})`),
    },
    'inside of loops': when("req.Headers.exists(h, h == 'a' || h == 'b' || «h == 'a'»)"),
  },
  silent: {
    'for operands of different chains': when(`${A} || (${B} && ${A})`),
    'for what gives something else each time': {
      policy: when('rand.int(0, 1) == 0 && rand.int(0, 1) == 0', { phase: 'on_http_request' }),
      profile: 'modern',
    },
  },
});
