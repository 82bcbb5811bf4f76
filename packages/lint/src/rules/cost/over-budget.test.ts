import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { OVER_BUDGET } from './over-budget.ts';

testRule(it, OVER_BUDGET, {
  fires: {
    'for nested loops over all headers': {
      policy: when(
        "«req.headers.exists(a, req.headers[a].exists(v, req.headers.exists(b, req.headers[b].exists(w, v.matches('(a|b)+c') && w == v))))»",
        { phase: 'on_http_request' },
      ),
      profile: 'modern',
    },
  },
  silent: {
    'for a single loop with a pattern': when(
      "getReqHeader('User-Agent').exists(a, a.matches('(?i)(gptbot|claudebot|ccbot)'))",
    ),
    'for a membership test without a loop': when("req.Path in ['/a', '/b', '/c'] && req.URL.contains('x')"),
  },
});
