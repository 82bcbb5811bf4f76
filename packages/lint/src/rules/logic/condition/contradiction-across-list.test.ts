import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { CONTRADICTION_ACROSS_LIST } from './contradiction-across-list.ts';

function entries(...conditions: readonly string[]): string {
  const list = conditions.map(one => `      - ${one}\n`).join('');
  return `inbound:\n  - name: a rule\n    expressions:\n${list}    actions: [{type: deny}]\n`;
}

testRule(it, CONTRADICTION_ACROSS_LIST, {
  fires: {
    'for two values of one variable': {
      policy: entries("req.Method == 'A'", "«req.Method == 'B'»"),
      message:
        "all entries must hold, and this one never does together with `req.Method == 'A'`; ask for one or the other in one entry",
      suggested: entries("'req.Method in [''A'', ''B'']'"),
    },
    'leaving other entries alone': {
      policy: entries("req.Method == 'A'", "req.Host == 'x'", "«req.Method == 'B'»", "req.Path == '/y'"),
      suggested: entries("'req.Method in [''A'', ''B'']'", "req.Host == 'x'", "req.Path == '/y'"),
    },
    'for three that contradict each other together': entries(
      "req.Method in ['A', 'B']",
      "req.Method != 'A'",
      "«req.Method != 'B'»",
    ),
    'for bounds': entries('req.ContentLength > 500', '«req.ContentLength < 400»'),
    'in other profiles': {
      policy: entries("req.method == 'A'", "«req.method == 'B'»").replace('inbound', 'on_http_request'),
      profile: 'modern',
    },
  },
  silent: {
    'for different variables': entries("req.Method == 'A'", "req.Host == 'B'"),
    'where one entry alone never holds': entries("req.Method == 'A' && req.Method == 'B'", "req.Host == 'x'"),
    'for values that are not': entries("req.Method != 'A'", "req.Method != 'B'"),
  },
});
