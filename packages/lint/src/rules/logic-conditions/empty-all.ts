import { mentions } from '../../analyses/failures.ts';
import { asWritten } from '../../readers/source-nodes.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { rangeInDocument, sourceOf } from '../../rule-api/linted-expression.ts';

/** Reports `list.filter(…).all(…)`. */
export const EMPTY_ALL: LintRule = {
  id: 'logic/empty-all',
  severity: 'warning',
  summary: '`all` over a filtered list, which holds if nothing is left',
  rationale:
    '`all` is true for an empty list. If the filter leaves nothing, because the client sent no such cookie or value, the condition holds ' +
    'without a single element that satisfies it. Use `exists`, or require that the list is not empty.',
  bad: {
    policy: `\
on_http_request:
  - name: administrators only
    expressions: ["!(«req.headers['x-teams'].filter(team, team != '').all(team, team == 'admins')»)"]
    actions: [{ type: deny }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: administrators only
    expressions: ["!('x-teams' in req.headers && req.headers['x-teams'].all(team, team == 'admins'))"]
    actions: [{ type: deny }]
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    calls: {
      all: (call, at, context) => {
        const list = call.target && asWritten(at.typed.ast, call.target);
        if (at.role !== 'condition' || list?.kind !== 'call' || list.function !== 'filter' || !list.target) return;
        const [source, base] = [list, list.target].map(node => sourceOf(at, node.range));
        const isTested = [`size(${source})`, `${source}.size()`, `${source} != []`, `${base}.exists(`].some(
          test => mentions(test, at) > 0,
        );
        if (isTested) return;
        context.report({
          range: rangeInDocument(at, call.range),
          message: `\`all\` is true if \`filter\` leaves nothing; require \`size(…) > 0\` as well, or use \`exists\``,
        });
      },
    },
  },
};
