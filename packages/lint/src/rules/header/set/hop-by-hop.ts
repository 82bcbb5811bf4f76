import { namedHeaders } from '../../../actions/named-headers.ts';
import { HOP_BY_HOP_HEADERS } from '../../../data/header-names.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';

/** `Connection: close`. */
export const HOP_BY_HOP: LintRule = {
  id: 'header/hop-by-hop',
  severity: 'warning',
  summary: 'a header that is about one connection only',
  rationale:
    'Headers such as Connection, Transfer-Encoding and Upgrade are between two neighbours (RFC 9110, section 7.6.1): the edge makes ' +
    'its own for each connection. Setting or removing one does nothing, or breaks the message.',
  bad: {
    policy: `\
inbound:
  - name: one at a time
    actions: [{ type: add-headers, config: { headers: { «Connection»: close } } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: one at a time
    actions: [{ type: add-headers, config: { headers: { X-Concurrency: "1" } } }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    action: (action, _, context) => {
      for (const { name, range, verb } of namedHeaders(action)) {
        if (!HOP_BY_HOP_HEADERS.has(name.toLowerCase())) continue;
        context.report({
          range,
          message: `\`${name}\` is between two neighbours, and the edge makes its own; do not ${verb} it here`,
          args: { header: name },
        });
      }
    },
  },
};
