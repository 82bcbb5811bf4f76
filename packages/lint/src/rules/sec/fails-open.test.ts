import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { FAILS_OPEN } from './fails-open.ts';

const modern = (condition: string, action = '{type: deny}') => ({
  policy: when(condition, { phase: 'on_http_request', action }),
  profile: 'modern' as const,
});

const CLAIM = 'actions.ngrok.jwt_validation.tokens[0].payload';

testRule(it, FAILS_OPEN, {
  fires: {
    'for a claim': {
      ...modern(`«${CLAIM}['role']» != 'admin'`),
      message: `this ends in an error when 'role' is missing, and the traffic is not refused; test \`'role' in ${CLAIM}\` first`,
      suggested: modern(`!('role' in ${CLAIM}) || ${CLAIM}['role'] != 'admin'`).policy,
    },
    'for a claim that is selected, and parts of it': modern(
      `«${CLAIM}.role» != 'admin' || !(«${CLAIM}.realm.roles».exists(r, r == 'admin'))`,
    ),
    'for a cookie': {
      policy: when("!«getReqCookie('tier')».Value.startsWith('gold')"),
      message:
        "this ends in an error when there is no cookie 'tier', and the traffic is not refused; test `hasReqCookie('tier')` first",
      suggested: when("!hasReqCookie('tier') || !getReqCookie('tier').Value.startsWith('gold')"),
    },
    'for a length that may be missing': {
      ...modern('«req.content_length» > 1000'),
      suggested: modern('!has(req.content_length) || req.content_length > 1000').policy,
    },
    'for numbers of clients': {
      policy: when("'n' in req.Params && «int(req.Params['n'][0])» > 100"),
      message:
        "`req.Params['n'][0]` may be a string that no int can be made of, which ends in an error, and the traffic is not refused; test the value first",
    },
    'for divisions and parts': modern(
      "«100 / size(req.url.query)» > 3 || «req.url.path.split('/')[2]» != 'public' || «getReqHeader('x')[0].substring(7)» != 'k'",
    ),
    'for what is decoded': modern("!(«json.decode(getReqHeader('x-claims')[0])» == {'a': 1})"),
    'for an answer that refuses': modern(
      "«getReqCookie('session')».value == 'x' == false",
      '{type: custom-response, config: {status_code: 401}}',
    ),
    'for elements of lists': {
      ...modern(
        "«req.content_encoding[0]» != 'gzip' || !«conn.tls.client.san.dns_names»[0].endsWith('.example.com') || «getReqHeader('x').filter(v, v != '')[1]» != 'a'",
      ),
      message:
        'this ends in an error when `req.content_encoding` has no element 0, and the traffic is not refused; test `size(req.content_encoding) > 0` first',
    },
    'for cookies of edge-v2': { policy: when("«req.Cookies[0]».Value != 'a'") },
    'for variables that are set for some traffic': {
      policy: `on_http_request:
  - expressions: ["req.method == 'GET'"]
    actions: [{ type: set-vars, config: { vars: [{ tier: gold }] } }]
  - expressions: ["«vars.tier» != 'gold'"]
    actions: [{ type: deny }]
`,
      profile: 'modern',
      message:
        "this ends in an error when no rule has set `tier`, and the traffic is not refused; test `'tier' in vars` first",
    },
    'in snake case': { policy: when("«getReqCookie('tier')».value != 'gold'"), profile: 'edge-v2-snake' },
  },
  silent: {
    'where only a value that is there is refused': modern(
      `${CLAIM}.role == 'guest' || getReqCookie('tier').value.lower().startsWith('free') || req.url.path.split('/')[2] == 'admin' || int(getReqHeader('x-level')[0]) == 0`,
    ),
    'where it is tested': modern(
      `!has(${CLAIM}.role) || ${CLAIM}.role != 'admin' || !hasReqCookie('a') || getReqCookie('a').value != 'b'`,
    ),
    'where nothing is refused': modern(`${CLAIM}.role != 'admin'`, '{type: log}'),
    'for headers, which others look at': modern("req.headers['x-a'][0] != 'b' || getReqHeader('x-a')[0] != 'b'"),
    'for variables of the policy': {
      policy: `on_http_request:
  - actions: [{ type: set-vars, config: { vars: [{ tier: "\${req.method}" }] } }]
  - expressions: ["vars.tier != 'gold'"]
    actions: [{ type: deny }]
`,
      profile: 'modern',
    },
  },
});
