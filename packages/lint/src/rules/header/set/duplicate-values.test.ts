import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { DUPLICATE_VALUES } from './duplicate-values.ts';

const modern = (condition: string, action = '{type: deny}') => ({
  policy: when(condition, { phase: 'on_http_request', action }),
  profile: 'modern' as const,
});

testRule(it, DUPLICATE_VALUES, {
  fires: {
    'for the first of several values in a refusal': {
      ...modern("'x-role' in req.headers && «req.headers['x-role'][0].lower() in ['guest', 'anonymous']»"),
      message: 'only the first value of `x-role` is compared, so a second one passes; test all of them with `exists`',
    },
    'for parameters': { policy: when("«req.Params['debug'][0] == '1'»") },
    'for one right value among others': {
      policy: when("!«getReqHeader('X-Partner').exists(v, v == 'acme')»"),
      message: 'one right value of `X-Partner` lets any others pass too; test with `all`, and that there is one',
    },
    'for membership': modern(
      "!(«'acme' in getReqHeader('x-partner')») || «'acme' in req.headers['x-partner']» == false",
    ),
    'in snake case': { policy: when("!«getReqHeader('x-partner').exists(v, v == 'acme')»"), profile: 'edge-v2-snake' },
  },
  silent: {
    'where all values count': modern(
      "getReqHeader('x-role').exists(v, v == 'guest') || size(getReqHeader('x-a')) != 1 || !getReqHeader('x-a').exists(v, v == 'b')",
    ),
    'where the first must be right': modern("!(getReqHeader('x-role')[0] == 'admin') || getReqHeader('x-b')[0] != 'c'"),
    'for agents': modern(
      "req.headers['user-agent'][0].contains('bot') || !getReqHeader('authorization').exists(a, a == 'x')",
    ),
    'where nothing is refused': modern("getReqHeader('x-role')[0] == 'guest'", '{type: log}'),
  },
});
