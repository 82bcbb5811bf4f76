import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { CONTRADICTION_ACROSS_LIST } from './contradiction-across-list.ts';

function entries(...conditions: readonly string[]): string {
  const list = conditions.map(condition => `      - ${condition}\n`).join('');
  return `inbound:\n  - name: a rule\n    expressions:\n${list}    actions: [{type: deny}]\n`;
}

testRule(it, CONTRADICTION_ACROSS_LIST, {
  fires: {
    'for two values of one input': {
      policy: entries("req.Method == 'A'", "«req.Method == 'B'»"),
      message:
        "all entries must hold, but this one contradicts `req.Method == 'A'`; combine them in one entry with `||` or `in`",
      suggested: entries("'req.Method in [''A'', ''B'']'"),
    },
    'leaving other entries unchanged': {
      policy: entries("req.Method == 'A'", "req.Host == 'x'", "«req.Method == 'B'»", "req.Path == '/y'"),
      suggested: entries("'req.Method in [''A'', ''B'']'", "req.Host == 'x'", "req.Path == '/y'"),
    },
    'for three entries that contradict each other only together': entries(
      "req.Method in ['A', 'B']",
      "req.Method != 'A'",
      "«req.Method != 'B'»",
    ),
    'for contradictory bounds': entries('req.ContentLength > 500', '«req.ContentLength < 400»'),
    'in the modern profile': {
      policy: entries("req.method == 'A'", "«req.method == 'B'»").replace('inbound', 'on_http_request'),
      profile: 'modern',
    },
  },
  silent: {
    'for different inputs': entries("req.Method == 'A'", "req.Host == 'B'"),
    'when a single entry can never be true': entries("req.Method == 'A' && req.Method == 'B'", "req.Host == 'x'"),
    'for negated comparisons': entries("req.Method != 'A'", "req.Method != 'B'"),
  },
});
