import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { UNANCHORED_ALLOW } from './unanchored-allow.ts';

const CHECK = "{type: basic-auth, config: {credentials: [\"${secrets.get('a', 'b')}\"]}}";

const modern = (condition: string, action = '{type: deny}') => ({
  policy: when(condition, { phase: 'on_http_request', action }),
  profile: 'modern' as const,
});

testRule(it, UNANCHORED_ALLOW, {
  fires: {
    'for a part of a path': {
      policy: when("!req.Path.matches('«/public/»')"),
      message: 'the pattern matches at the end of any value, so values that were not meant pass; anchor it with `^`',
      suggested: when("!req.Path.matches('^/public/')"),
      severity: 'warning',
    },
    'for a beginning that goes on': {
      ...modern("req.url.path.matches('«^/(css|js)»') == false"),
      message: 'the pattern matches at the start of any value, so values that were not meant pass; anchor it with `$`',
      suggested: modern("req.url.path.matches('^/(css|js)$') == false").policy,
    },
    'for each of several alternatives, before a check': {
      ...modern("!req.url.path.matches('«^/health$|/ready»')", CHECK),
      suggested: modern("!req.url.path.matches('^(?:^/health$|/ready)$')", CHECK).policy,
    },
    'for lines': {
      ...modern(
        "!getReqHeader('x-tenant').exists(v, v.matches('«(?m)^acme$»')) || !req.url.path.matches('«(?im:^/public$)»')",
      ),
      message:
        'with the flag `m`, `^` and `$` match at every line, so a value with a line break passes; remove the flag',
    },
    'for what the rest is refused after': {
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
    'in snake case': { policy: when("!req.url.path.matches('«^/v[0-9]+»')"), profile: 'edge-v2-snake' },
  },
  silent: {
    'for anchors, and those of RE2': modern(
      "!req.url.path.matches('^/public/') || !req.url.path.matches('^/public(/.*)?$') || !req.url.path.matches('^/(a|b)(?:/|$)') || !req.method.matches('\\\\A(GET|HEAD)\\\\z')",
    ),
    'for what is left open with care': modern(
      "!req.url.path.matches('^/assets/.*') || !req.url.path.matches('\\\\.(css|js)$') || !getReqHeader('authorization').exists(a, a.matches('^Bearer .+'))",
    ),
    'for what is refused': modern("req.url.path.matches('/admin')"),
    'for agents and countries': modern("!req.user_agent.matches('Chrome') || !conn.geo.country_code.matches('DE|FR')"),
    'for rules that decide nothing': modern("!req.url.path.matches('/public')", '{type: log}'),
  },
});
