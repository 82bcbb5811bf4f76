import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { UNANCHORED_ALLOW } from './unanchored-allow.ts';

const CHECK = "{type: basic-auth, config: {credentials: [\"${secrets.get('a', 'b')}\"]}}";

const modern = (condition: string, action = '{type: deny}') => ({
  policy: when(condition, { phase: 'on_http_request', action }),
  profile: 'modern' as const,
});

testRule(it, UNANCHORED_ALLOW, {
  fires: {
    'for a pattern without anchors': {
      policy: when("!req.Path.matches('«/public/»')"),
      message: 'pattern matches at the end of any value, so unintended values pass; anchor it with `^`',
      suggested: when("!req.Path.matches('^/public/')"),
      severity: 'warning',
    },
    'for a pattern without `$`': {
      ...modern("req.url.path.matches('«^/(css|js)»') == false"),
      message: 'pattern matches at the start of any value, so unintended values pass; anchor it with `$`',
      suggested: modern("req.url.path.matches('^/(css|js)$') == false").policy,
    },
    'for alternatives that are not all anchored, before an authentication check': {
      ...modern("!req.url.path.matches('«^/health$|/ready»')", CHECK),
      suggested: modern("!req.url.path.matches('^(?:^/health$|/ready)$')", CHECK).policy,
    },
    'for the multi-line flag': {
      ...modern(
        "!getReqHeader('x-tenant').exists(v, v.matches('«(?m)^acme$»')) || !req.url.path.matches('«(?im:^/public$)»')",
      ),
      message: 'with the flag `m`, `^` and `$` match at every line, so multi-line values pass; remove the flag',
    },
    'for a rule that forwards before everything else is denied': {
      policy: `on_http_request:
  - expressions: ["req.url.path.matches('«/public/»')"]
    actions: [{ type: forward-internal, config: { url: https://app.internal } }]
  - actions: [{ type: deny }]
`,
      profile: 'modern',
    },
    'for methods and cookies': modern(
      "!req.method.matches('«GET|HEAD»') || !getReqCookie('tier').value.matches('«gold»')",
    ),
    'in the profile edge-v2-snake': { policy: when("!req.url.path.matches('«^/v[0-9]+»')"), profile: 'edge-v2-snake' },
  },
  silent: {
    'for anchored patterns, RE2 anchors included': modern(
      "!req.url.path.matches('^/public/') || !req.url.path.matches('^/public(/.*)?$') || !req.url.path.matches('^/(a|b)(?:/|$)') || !req.method.matches('\\\\A(GET|HEAD)\\\\z')",
    ),
    'for patterns that are open on purpose': modern(
      "!req.url.path.matches('^/assets/.*') || !req.url.path.matches('\\\\.(css|js)$') || !getReqHeader('authorization').exists(a, a.matches('^Bearer .+'))",
    ),
    'for a pattern of denied values': modern("req.url.path.matches('/admin')"),
    'for user agents and countries': modern(
      "!req.user_agent.matches('Chrome') || !conn.geo.country_code.matches('DE|FR')",
    ),
    'for a rule that only logs': modern("!req.url.path.matches('/public')", '{type: log}'),
  },
});
