import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { DUPLICATE_OPERAND } from './duplicate-operand.ts';

const [A, B] = ["req.Method == 'A'", "req.Host == 'b'"];

testRule(it, DUPLICATE_OPERAND, {
  fires: {
    'for a duplicate in another layout': {
      policy: when(`${A} && ${B} && («req.Method=="A"»)`),
      message: '`req.Method=="A"` is already an operand of this `&&`; remove it, or correct it',
      fixed: when(`${A} && ${B}`),
    },
    'in a nested chain': {
      policy: when(`${B} && ((${A}) || «${A}»)`),
      fixed: when(`${B} && ((${A}))`),
    },
    'for each repetition': {
      policy: when(`${A} || «${A}» || ${B} || «${A}»`),
      fixed: when(`${A} || ${B}`),
    },
    'without a fix that would unbalance parentheses': {
      policy: when(`(${A} || ${B}) || («${A}»)`),
      fixed: when(`(${A} || ${B}) || (${A})`),
    },
    'for an entry that repeats an earlier one': {
      policy: `inbound:\n  - name: a\n    expressions:\n      - ${A}\n      - ${B}\n      - «${A}»\n    actions: [{ type: deny }]\n`,
      message: `\`${A}\` is tested by an earlier entry of \`expressions\`; remove it, or correct it`,
    },
    'for an operand that an earlier entry has': `inbound:\n  - name: a\n    expressions:\n      - ${A} && ${B}\n      - "req.Path == '/' && «${B}»"\n    actions: [{ type: deny }]\n`,
    'inside macros': when("req.Headers.exists(h, h == 'a' || h == 'b' || «h == 'a'»)"),
  },
  silent: {
    'for operands of different chains': when(`${A} || (${B} && ${A})`),
    'for entries that test something else': `inbound:\n  - name: a\n    expressions:\n      - ${A} || ${B}\n      - ${A}\n      - "req.Method != 'A'"\n    actions: [{ type: deny }]\n`,
    'for random values': {
      policy: when('rand.int(0, 1) == 0 && rand.int(0, 1) == 0', { phase: 'on_http_request' }),
      profile: 'modern',
    },
  },
});
