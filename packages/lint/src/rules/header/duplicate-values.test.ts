import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { DUPLICATE_VALUES } from './duplicate-values.ts';

const modern = (condition: string, action = '{type: deny}') => ({
  policy: when(condition, { phase: 'on_http_request', action }),
  profile: 'modern' as const,
});

testRule(it, DUPLICATE_VALUES, {
  fires: {
    'for the first of several values in a rule that denies': {
      ...modern("'x-role' in req.headers && «req.headers['x-role'][0].lower() in ['guest', 'anonymous']»"),
      message:
        'only the first value of `x-role` is compared, so a second one bypasses the rule; test all with `exists`',
    },
    'for query parameters': { policy: when("«req.Params['debug'][0] == '1'»") },
    'for `exists` where all values must be right': {
      policy: when("!«getReqHeader('X-Partner').exists(v, v == 'acme')»"),
      message:
        'one correct value of `X-Partner` lets wrong ones pass too; use `all`, and check that the list is not empty',
    },
    'for `in` where all values must be right': modern(
      "!(«'acme' in getReqHeader('x-partner')») || «'acme' in req.headers['x-partner']» == false",
    ),
    'in the profile edge-v2-snake': {
      policy: when("!«getReqHeader('x-partner').exists(v, v == 'acme')»"),
      profile: 'edge-v2-snake',
    },
  },
  silent: {
    'when all values are tested or counted': modern(
      "getReqHeader('x-role').exists(v, v == 'guest') || size(getReqHeader('x-a')) != 1 || !getReqHeader('x-a').exists(v, v == 'b')",
    ),
    'when the first value must be right': modern(
      "!(getReqHeader('x-role')[0] == 'admin') || getReqHeader('x-b')[0] != 'c'",
    ),
    'for headers that servers do not accept twice': modern(
      "req.headers['user-agent'][0].contains('bot') || !getReqHeader('authorization').exists(a, a == 'x')",
    ),
    'for a rule that denies nothing': modern("getReqHeader('x-role')[0] == 'guest'", '{type: log}'),
  },
});
