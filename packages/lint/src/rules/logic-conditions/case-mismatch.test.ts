import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { CASE_MISMATCH } from './case-mismatch.ts';

const modern = (condition: string) => ({
  policy: when(condition, { phase: 'on_http_request' }),
  profile: 'modern' as const,
});

testRule(it, CASE_MISMATCH, {
  fires: {
    'for each literal of a list, and on either side': {
      policy: when("req.Host.lowerAscii() in [«'GET'», 'head'] || «'A'» != req.Path.lowerAscii()"),
      message: '`GET` is compared with a string in lower case, so the test is never true; write it in lower case',
      suggested: when("req.Host.lowerAscii() in ['get', 'head'] || 'A' != req.Path.lowerAscii()"),
    },
    'for prefixes, and after other methods': modern(
      "req.url.path.lower().trim().startsWith(«'/Admin'») || req.host.upper().split('.')[0] == «'shop'»",
    ),
    'for header values': modern("getReqHeader('user-agent').exists(v, v.lowerAscii().contains(«'GPTBot'»))"),
    'for patterns': modern("req.user_agent.lower().matches(«'GPTBot|CCBot'»)"),
    'for elements of a converted list': modern(
      "getReqHeader('x-role').map(v, v.lower()).exists(v, v == 'x') || conn.geo.country_code.lower() == «'DE'»",
    ),
    'for literals that a macro iterates over': modern("['a.example', «'B.example'»].exists(h, req.host.lower() == h)"),
    'for membership in a converted list': modern(
      "«'Admin'» in getReqHeader('x-role').map(v, v.lower()) || getReqHeader('x-role').map(v, v.lower()).exists(v, v == «'Root'»)",
    ),
    'in the profile edge-v2-snake': { policy: when("req.host.upperAscii() == «'get'»"), profile: 'edge-v2-snake' },
  },
  silent: {
    'for methods, which `http/method-case` reports': modern("req.method.lower() == 'GET'"),
    'for literals in the same case or without letters': modern(
      "req.host.lower() == 'a.example.com' && req.url.path.upper() == '/1'",
    ),
    'for patterns that can match': modern(
      "req.user_agent.lower().matches('(?i)GPTBot') || req.user_agent.lower().matches('[A-Za-z]bot|Bot') || req.user_agent.lower().matches('GPTBot|ccbot')",
    ),
    'for values that are not converted': modern("req.method == 'GET'"),
  },
});
