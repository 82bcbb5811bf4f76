import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
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
      message: `evaluation fails when 'role' is missing, so GET https://example.com/ from 198.51.100.7 is not denied; test \`'role' in ${CLAIM}\` first`,
      suggested: modern(`!('role' in ${CLAIM}) || ${CLAIM}['role'] != 'admin'`).policy,
    },
    'for a selected claim and its fields': modern(
      `«${CLAIM}.role» != 'admin' || !(«${CLAIM}.realm.roles».exists(r, r == 'admin'))`,
    ),
    'for a cookie': {
      policy: when("!«getReqCookie('tier')».Value.startsWith('gold')"),
      message:
        "evaluation fails when the cookie 'tier' is missing, so GET https://example.com/ from 198.51.100.7 is not denied; test `hasReqCookie('tier')` first",
      suggested: when("!(hasReqCookie('tier') && getReqCookie('tier').Value.startsWith('gold'))"),
    },
    'for an optional variable': {
      ...modern('«req.content_length» > 1000'),
      suggested: modern('!has(req.content_length) || req.content_length > 1000').policy,
    },
    'for conversions of client input to numbers': {
      policy: when("'n' in req.Params && «int(req.Params['n'][0])» > 100"),
      message:
        "`req.Params['n'][0]` is not a valid int for some requests, and on an error GET https://example.com/?n=a from 198.51.100.7 is not denied; test the value first",
    },
    'for divisions, split strings and substrings': modern(
      "«100 / size(req.url.query)» > 3 || «req.url.path.split('/')[2]» != 'public' || «getReqHeader('x')[0].substring(7)» != 'k'",
    ),
    'for decoded JSON': modern("!(«json.decode(getReqHeader('x-claims')[0])» == {'a': 1})"),
    'for a custom response that denies': modern(
      "«getReqCookie('session')».value == 'x' == false",
      '{type: custom-response, config: {status_code: 401}}',
    ),
    'for list elements': {
      ...modern(
        "«req.content_encoding[0]» != 'gzip' || !«conn.tls.client.san.dns_names»[0].endsWith('.example.com') || «getReqHeader('x').filter(v, v != '')[1]» != 'a'",
      ),
      message:
        'evaluation fails when `req.content_encoding` has no element 0, so the request is not denied; test `size(req.content_encoding) > 0` first',
    },
    'for cookies of edge-v2': { policy: when("«req.Cookies[0]».Value != 'a'") },
    'for variables that are set only for some traffic': {
      policy: `on_http_request:
  - expressions: ["req.method == 'GET'"]
    actions: [{ type: set-vars, config: { vars: [{ tier: gold }] } }]
  - expressions: ["«vars.tier» != 'gold'"]
    actions: [{ type: deny }]
`,
      profile: 'modern',
      message:
        "evaluation fails when no earlier rule has set `tier`, so POST https://example.com/ from 198.51.100.7 is not denied; test `'tier' in vars` first",
    },
    'in the profile edge-v2-snake': {
      policy: when("«getReqCookie('tier')».value != 'gold'"),
      profile: 'edge-v2-snake',
    },
  },
  silent: {
    'when only an existing value is denied': modern(
      `${CLAIM}.role == 'guest' || getReqCookie('tier').value.lower().startsWith('free') || req.url.path.split('/')[2] == 'admin' || int(getReqHeader('x-level')[0]) == 0`,
    ),
    'when the value is tested first': modern(
      `!has(${CLAIM}.role) || ${CLAIM}.role != 'admin' || !hasReqCookie('a') || getReqCookie('a').value != 'b'`,
    ),
    'when the rule is proved not to fail': {
      policy: `inbound:
  - expressions: ["!hasReqCookie('tier')"]
    actions: [{ type: deny }]
  - expressions: ["getReqCookie('tier').Value != 'gold'"]
    actions: [{ type: deny }]
`,
    },
    'for a rule that denies nothing': modern(`${CLAIM}.role != 'admin'`, '{type: log}'),
    'for headers, which `type/unguarded-index` reports': modern(
      "req.headers['x-a'][0] != 'b' || getReqHeader('x-a')[0] != 'b'",
    ),
    'for variables that are set for all traffic': {
      policy: `on_http_request:
  - actions: [{ type: set-vars, config: { vars: [{ tier: "\${req.method}" }] } }]
  - expressions: ["vars.tier != 'gold'"]
    actions: [{ type: deny }]
`,
      profile: 'modern',
    },
  },
});
