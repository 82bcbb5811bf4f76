import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { CASE_MISMATCH } from './case-mismatch.ts';

const modern = (condition: string) => ({
  policy: when(condition, { phase: 'on_http_request' }),
  profile: 'modern' as const,
});

testRule(it, CASE_MISMATCH, {
  fires: {
    'for each of a list, whichever stands first': {
      policy: when("req.Host.lowerAscii() in [«'GET'», 'head'] || «'A'» != req.Path.lowerAscii()"),
      message: '`GET` is compared with a string in lower case, so this never holds; write it in lower case',
      suggested: when("req.Host.lowerAscii() in ['get', 'head'] || 'A' != req.Path.lowerAscii()"),
    },
    'for parts, and behind other methods': modern(
      "req.url.path.lower().trim().startsWith(«'/Admin'») || req.host.upper().split('.')[0] == «'shop'»",
    ),
    'for values of a header': modern("getReqHeader('user-agent').exists(v, v.lowerAscii().contains(«'GPTBot'»))"),
    'for patterns': modern("req.user_agent.lower().matches(«'GPTBot|CCBot'»)"),
    'for a list of converted values': modern(
      "getReqHeader('x-role').map(v, v.lower()).exists(v, v == 'x') || conn.geo.country_code.lower() == «'DE'»",
    ),
    'for literals that a loop goes through': modern("['a.example', «'B.example'»].exists(h, req.host.lower() == h)"),
    'for lists that were converted': modern(
      "«'Admin'» in getReqHeader('x-role').map(v, v.lower()) || getReqHeader('x-role').map(v, v.lower()).exists(v, v == «'Root'»)",
    ),
    'in snake case': { policy: when("req.host.upperAscii() == «'get'»"), profile: 'edge-v2-snake' },
  },
  silent: {
    'for methods, which others look at': modern("req.method.lower() == 'GET'"),
    'for letters that fit, and for none': modern("req.host.lower() == 'a.example.com' && req.url.path.upper() == '/1'"),
    'for patterns that some letters fit': modern(
      "req.user_agent.lower().matches('(?i)GPTBot') || req.user_agent.lower().matches('[A-Za-z]bot|Bot') || req.user_agent.lower().matches('GPTBot|ccbot')",
    ),
    'for what is not converted': modern("req.method == 'GET'"),
  },
});
