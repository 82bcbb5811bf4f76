import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { UNGUARDED_INDEX } from './unguarded-index.ts';

const two = (first: string, second: string) => `inbound:
  - expressions:
      - "${first}"
      - "${second}"
    actions: [{type: deny}]
`;

testRule(it, UNGUARDED_INDEX, {
  fires: {
    'and asks first where a missing header would have to match': {
      policy: when("req.Method == 'PUT' || «req.Headers['X-A']»[0] != 'b'"),
      suggested: when("req.Method == 'PUT' || (!('X-A' in req.Headers) || req.Headers['X-A'][0] != 'b')"),
    },
    'and asks first where it must not': {
      policy: when("«req.Headers['X-A']».exists(v, v == 'b')"),
      suggested: when("'X-A' in req.Headers && req.Headers['X-A'].exists(v, v == 'b')"),
    },
    'where the header must not be something': {
      policy: when("«req.Headers['X-A']»[0] != 'b' || !(«req.Headers['X-B']»[0] == 'c')"),
      message:
        "a request without `X-A` ends in an error here, and the rule does not match; ask `'X-A' in req.Headers` first",
    },
    'where the header must be something': { policy: when("'b' in «req.Headers['X-A']»") },
    'when another header is asked for': { policy: when("'X-B' in req.Headers && «req.Headers['X-A']»[0] == 'b'") },
    'on the wrong side of an or': { policy: when("'X-A' in req.Headers || «req.Headers['X-A']»[0] == 'b'") },
    'with the name as the profile spells it': {
      policy: when("«req.headers['X-A']»[0] != 'b'", { phase: 'on_http_request' }),
      profile: 'modern',
      message:
        "a request without `X-A` ends in an error here, and the rule does not match; ask `'x-a' in req.headers` first",
    },
    'in other profiles': {
      policy: when("size(«res.headers['x-a']») > 1", { phase: 'on_http_response', action: '{type: log}' }),
      profile: 'modern',
    },
  },
  silent: {
    'for what requests are counted by': {
      policy: when('true', {
        phase: 'on_http_request',
        action: `{type: rate-limit, config: {name: a, algorithm: sliding_window, capacity: 5, rate: 60s, bucket_key: ["req.headers['x-a']"]}}`,
      }),
      profile: 'modern',
    },
    'beside a test, in either order': when(
      "'X-A' in req.Headers && req.Headers['X-A'][0] == 'b' || req.Headers['X-B'][0] == 'c' && 'X-B' in req.Headers",
    ),
    'beside a test that is negated, with or': when("!('X-A' in req.Headers) || req.Headers['X-A'][0] != 'b'"),
    'behind a question': when("'X-A' in req.Headers ? req.Headers['X-A'][0] != 'b' : true"),
    'behind a function that asks': when("hasReqHeader('X-A') && req.Headers['X-A'][0] != 'b'"),
    'behind another condition of the rule': two("'X-A' in req.Headers", "req.Headers['X-A'][0] != 'b'"),
    'deep inside of what is guarded': when("'X-A' in req.Headers && !(req.Headers['X-A'].exists(v, v == 'b'))"),
    'for what only asks': when("!('X-A' in req.Headers)"),
  },
});
