import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { UNGUARDED_LOOK_UP } from './unguarded-look-up.ts';

const two = (first: string, second: string) => `inbound:
  - expressions:
      - "${first}"
      - "${second}"
    actions: [{type: deny}]
`;

testRule(it, UNGUARDED_LOOK_UP, {
  fires: {
    'for a header returned by a function': {
      policy: when("«getReqHeader('X-A')[0]» != 'b'"),
      message:
        "condition fails with an error for requests without `X-A`, so this rule lets them pass; test `size(getReqHeader('X-A')) > 0` first",
      suggested: when("size(getReqHeader('X-A')) == 0 || getReqHeader('X-A')[0] != 'b'"),
    },
    'for query parameters in the map and from a function': {
      options: { everywhere: true },
      policy: when("«req.Params['q']»[0] != 'b' || «getQueryParam('r')[0]» == 'c'"),
      message:
        "condition fails with an error for requests without `q`, which this rule may then let pass; test `'q' in req.Params` first",
    },
    'for a header that is read twice without a test': when(
      "«getReqHeader('X-A')[0]» != 'b' && «getReqHeader('X-A')[0]» != 'c'",
    ),
    'when the test is for another header': when("hasReqHeader('X-B') && «getReqHeader('X-A')[0]» != 'b'"),
    'for a response in the modern profile': {
      policy: when("«getResHeader('x-a')[0]» != 'b'", { phase: 'on_http_response', action: '{type: log}' }),
      profile: 'modern',
      message: "condition fails with an error for responses without `x-a`; test `size(getResHeader('x-a')) > 0` first",
    },
  },
  silent: {
    'after a test of presence': when("hasReqHeader('X-A') && getReqHeader('X-A')[0] != 'b'"),
    'next to a test of the size': when("size(getReqHeader('X-A')) == 0 || getReqHeader('x-a')[0] != 'b'"),
    'after another expression of the rule that tests for it': two("'q' in req.Params", "req.Params['q'][0] != 'b'"),
    'for header maps, which `type/unguarded-index` reports': when("req.Headers['X-A'][0] != 'b'"),
    'for lists that a macro iterates over': when("getReqHeader('X-A').exists(v, v != 'b')"),
    'in an interpolation': {
      policy: when('true', {
        action: `{type: add-headers, config: {headers: {x-a: "\${getReqHeader('x-b')[0]}"}}}`,
        phase: 'on_http_request',
      }),
      profile: 'modern',
    },
  },
});
