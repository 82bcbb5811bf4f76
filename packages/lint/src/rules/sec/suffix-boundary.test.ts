import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { SUFFIX_BOUNDARY } from './suffix-boundary.ts';

const modern = (condition: string, action = '{type: deny}') => ({
  policy: when(condition, { phase: 'on_http_request', action }),
  profile: 'modern' as const,
});

testRule(it, SUFFIX_BOUNDARY, {
  fires: {
    'for a host, and adds the boundary': {
      policy: when("!«req.Host.endsWith('example.com')»"),
      message: '`evilexample.com` also passes this test; test that it equals `example.com` or ends with `.example.com`',
      suggested: when("!(req.Host == 'example.com' || req.Host.endsWith('.example.com'))"),
      severity: 'warning',
    },
    'for an email address in lower case': {
      ...modern('!«getReqHeader("x-forwarded-email")[0].lower().endsWith("corp.example.com")»'),
      message: '`eve@evilcorp.example.com` also passes this test; test that it ends with `@corp.example.com`',
      suggested: modern('!getReqHeader("x-forwarded-email")[0].lower().endsWith("@corp.example.com")').policy,
    },
    'for the part after the at sign': modern("!«getReqHeader('x-email')[0].split('@')[1].endsWith('example.com')»"),
    'for a domain as a substring': modern(
      "!«req.host.contains('.example.com')» || !«req.url.host.contains('example.com')»",
    ),
    'for the position of a domain': modern(
      "«getReqHeader('x-email')[0].indexOf('@example.com')» < 0",
      '{type: forward-internal, config: {url: https://a.internal}}',
    ),
    'for names in certificates': modern("!conn.tls.client.san.dns_names.exists(n, «n.endsWith('example.com')»)"),
    'for part of an email address': {
      ...modern("!«getReqHeader('x-user-email')[0].contains('@acme')»"),
      message: '`eve@acme.evil.example` also passes this test; test that it ends with `@your domain`',
    },
    'for a prefix of an origin': {
      ...modern("!getReqHeader('origin').exists(o, «o.startsWith('https://shop.example.com')»)"),
      message: '`https://shop.example.com.evil.example` also passes this test; compare the whole origin',
    },
    'for patterns': modern(
      "!«req.host.matches('example[.]com$')» || !«req.host.matches('^.*example\\\\.com$')» || !«getReqHeader('x-email')[0].matches('@example[.]com')»",
    ),
    'written as a comparison with false': modern("«req.host.endsWith('example.com')» == false"),
    'for a list of domains': modern("!['@acme.io', «'example.com'»].exists(d, getReqHeader('x-email')[0].endsWith(d))"),
    'for domains in variables': {
      policy: `on_http_request:
  - actions: [{ type: set-vars, config: { vars: [{ domains: ["@acme.io", "«example.com»"] }] } }]
  - expressions: ["!vars.domains.exists(d, getReqHeader('x-email')[0].endsWith(d))"]
    actions: [{ type: deny }]
`,
      profile: 'modern',
    },
    'for a variable that decides later': modern(
      'true',
      "{type: set-vars, config: {vars: [{staff: \"${«getReqHeader('x-email')[0].endsWith('example.com')»}\"}]}}",
    ),
    'for traffic that is forwarded': {
      policy: `on_http_request:
  - expressions: ["«req.host.contains('example.com')»"]
    actions: [{ type: forward-internal, config: { url: https://app.internal } }]
  - actions: [{ type: deny }]
`,
      profile: 'modern',
    },
    'for a requested server name': {
      policy: when("!«conn.TLS.SNI.endsWith('example.com')»"),
      endpoint: 'tls-edge',
    },
    'as info for denied traffic': { ...modern("«req.host.endsWith('spam.example')»"), severity: 'info' },
    'in the profile edge-v2-snake': { policy: when("!«req.host.endsWith('example.com')»"), profile: 'edge-v2-snake' },
  },
  silent: {
    'for suffixes with a boundary': modern(
      "!(req.host == 'example.com' || req.host.endsWith('.example.com')) || !getReqHeader('x-email')[0].endsWith('@example.com')",
    ),
    'for patterns with boundaries': modern(
      "!req.host.matches('^([a-z0-9-]+[.])*example[.]com$') || !getReqHeader('x-email')[0].matches('^[^@]+@(example|acme)[.]com$')",
    ),
    'for file names and user agents': modern(
      "!req.url.path.endsWith('index.html') || !req.user_agent.contains('example.com') || req.url.path.endsWith('robots.txt')",
    ),
    'for IP addresses': modern("!getReqHeader('x-host')[0].endsWith('.0.0.1')"),
    'for a rule that only logs': modern("req.host.endsWith('example.com')", '{type: log}'),
    'for traffic denied by a substring': modern("req.host.contains('staging.example.com')"),
  },
});
