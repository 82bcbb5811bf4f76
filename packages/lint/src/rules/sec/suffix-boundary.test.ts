import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { SUFFIX_BOUNDARY } from './suffix-boundary.ts';

const modern = (condition: string, action = '{type: deny}') => ({
  policy: when(condition, { phase: 'on_http_request', action }),
  profile: 'modern' as const,
});

testRule(it, SUFFIX_BOUNDARY, {
  fires: {
    'for a host, and adds the boundary': {
      policy: when("!«req.Host.endsWith('example.com')»"),
      message: '`evilexample.com` passes this test too; test that it equals `example.com` or ends with `.example.com`',
      suggested: when("!(req.Host == 'example.com' || req.Host.endsWith('.example.com'))"),
      severity: 'warning',
    },
    'for an e-mail address that was converted': {
      ...modern('!«getReqHeader("x-forwarded-email")[0].lower().endsWith("corp.example.com")»'),
      message: '`eve@evilcorp.example.com` passes this test too; test that it ends with `@corp.example.com`',
      suggested: modern('!getReqHeader("x-forwarded-email")[0].lower().endsWith("@corp.example.com")').policy,
    },
    'for the part behind the at sign': modern("!«getReqHeader('x-email')[0].split('@')[1].endsWith('example.com')»"),
    'for a domain anywhere': modern("!«req.host.contains('.example.com')» || !«req.url.host.contains('example.com')»"),
    'for its position': modern(
      "«getReqHeader('x-email')[0].indexOf('@example.com')» < 0",
      '{type: forward-internal, config: {url: https://a.internal}}',
    ),
    'for names in certificates': modern("!conn.tls.client.san.dns_names.exists(n, «n.endsWith('example.com')»)"),
    'for part of an address': {
      ...modern("!«getReqHeader('x-user-email')[0].contains('@acme')»"),
      message: '`eve@acme.evil.example` passes this test too; test that it ends with `@your domain`',
    },
    'for the beginning of an origin': {
      ...modern("!getReqHeader('origin').exists(o, «o.startsWith('https://shop.example.com')»)"),
      message: '`https://shop.example.com.evil.example` passes this test too; compare with the whole origin',
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
    'for what is handed on': {
      policy: `on_http_request:
  - expressions: ["«req.host.contains('example.com')»"]
    actions: [{ type: forward-internal, config: { url: https://app.internal } }]
  - actions: [{ type: deny }]
`,
      profile: 'modern',
    },
    'for a name in a certificate': {
      policy: when("!«conn.TLS.SNI.endsWith('example.com')»"),
      endpoint: 'tls-edge',
    },
    'for what is refused, as a note': { ...modern("«req.host.endsWith('spam.example')»"), severity: 'info' },
    'in snake case': { policy: when("!«req.host.endsWith('example.com')»"), profile: 'edge-v2-snake' },
  },
  silent: {
    'for boundaries': modern(
      "!(req.host == 'example.com' || req.host.endsWith('.example.com')) || !getReqHeader('x-email')[0].endsWith('@example.com')",
    ),
    'for patterns with boundaries': modern(
      "!req.host.matches('^([a-z0-9-]+[.])*example[.]com$') || !getReqHeader('x-email')[0].matches('^[^@]+@(example|acme)[.]com$')",
    ),
    'for files and agents': modern(
      "!req.url.path.endsWith('index.html') || !req.user_agent.contains('example.com') || req.url.path.endsWith('robots.txt')",
    ),
    'for addresses of networks': modern("!getReqHeader('x-host')[0].endsWith('.0.0.1')"),
    'for what is only noted': modern("req.host.endsWith('example.com')", '{type: log}'),
    'for what is refused if it contains something': modern("req.host.contains('staging.example.com')"),
  },
});
