import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { USER_AGENT_EQUALITY } from './user-agent-equality.ts';

const modern = (condition: string) =>
  ({ policy: when(condition, { phase: 'on_http_request' }), profile: 'modern' }) as const;

testRule(it, USER_AGENT_EQUALITY, {
  fires: {
    'for the variable': {
      ...modern("req.user_agent == «'curl'»"),
      message:
        "a User-Agent contains versions, such as `curl/1.0`, so it does not equal `curl`; use `contains('curl')`",
      suggested: modern("req.user_agent.contains('curl')").policy,
    },
    'for the header, negated': {
      policy: when("hasReqHeader('User-Agent') && getReqHeader('User-Agent')[0] != «'Googlebot'»"),
      suggested: when("hasReqHeader('User-Agent') && !getReqHeader('User-Agent')[0].contains('Googlebot')"),
    },
    'in a list': modern("req.user_agent in [«'curl'», «'wget'»]"),
  },
  silent: {
    'for a product with its version': modern("req.user_agent == 'kube-probe/1.29'"),
    'for the parsed name': modern("req.user_agent.name == 'Chrome'"),
    'for an empty value': modern("req.user_agent == ''"),
    'for other headers': when("hasReqHeader('X-Kind') && getReqHeader('X-Kind')[0] == 'curl'"),
  },
});
