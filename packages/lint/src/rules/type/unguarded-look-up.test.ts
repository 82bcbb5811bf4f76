import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { UNGUARDED_LOOK_UP } from './unguarded-look-up.ts';

const two = (first: string, second: string) => `inbound:
  - expressions:
      - "${first}"
      - "${second}"
    actions: [{type: deny}]
`;

testRule(it, UNGUARDED_LOOK_UP, {
  fires: {
    'for a header that a function gives': {
      policy: when("«getReqHeader('X-A')[0]» != 'b'"),
      message:
        "a request without `X-A` ends in an error here, and the rule does not match; ask `size(getReqHeader('X-A')) > 0` first",
    },
    'for parameters, in a map and by a function': {
      policy: when("«req.Params['q']»[0] != 'b' || «getQueryParam('r')[0]» == 'c'"),
      message:
        "a request without `q` ends in an error here, and the rule does not match; ask `'q' in req.Params` first",
    },
    'for one that is only read twice': when("«getReqHeader('X-A')[0]» != 'b' && «getReqHeader('X-A')[0]» != 'c'"),
    'where another name is asked for': when("hasReqHeader('X-B') && «getReqHeader('X-A')[0]» != 'b'"),
    'in other profiles, for responses': {
      policy: when("«getResHeader('x-a')[0]» != 'b'", { phase: 'on_http_response', action: '{type: log}' }),
      profile: 'modern',
      message:
        "a response without `x-a` ends in an error here, and the rule does not match; ask `size(getResHeader('x-a')) > 0` first",
    },
  },
  silent: {
    'behind a question': when("hasReqHeader('X-A') && getReqHeader('X-A')[0] != 'b'"),
    'beside a size': when("size(getReqHeader('X-A')) == 0 || getReqHeader('x-a')[0] != 'b'"),
    'behind another condition of the rule': two("'q' in req.Params", "req.Params['q'][0] != 'b'"),
    'for maps of headers': when("req.Headers['X-A'][0] != 'b'"),
    'for lists that are looked through': when("getReqHeader('X-A').exists(v, v != 'b')"),
    'for what is filled in': {
      policy: when('true', {
        action: `{type: add-headers, config: {headers: {x-a: "\${getReqHeader('x-b')[0]}"}}}`,
        phase: 'on_http_request',
      }),
      profile: 'modern',
    },
  },
});
