import { HOP_BY_HOP_HEADERS } from '@tollgate/catalog';
import { namedHeaders } from '../../readers/actions.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `Connection: close`. */
export const HOP_BY_HOP: LintRule = {
  id: 'header/hop-by-hop',
  severity: 'warning',
  summary: 'hop-by-hop header set or removed',
  rationale:
    'Headers such as Connection, Transfer-Encoding and Upgrade apply to a single connection (RFC 9110, section 7.6.1), and the edge ' +
    'generates its own for each. Setting or removing one has no effect or breaks the message.',
  bad: {
    policy: `\
inbound:
  - name: limit concurrency
    actions: [{ type: add-headers, config: { headers: { «Connection»: close } } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: limit concurrency
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
          message: `\`${name}\` is a hop-by-hop header, which the edge manages itself; do not ${verb} it`,
          args: { header: name },
        });
      }
    },
  },
};
