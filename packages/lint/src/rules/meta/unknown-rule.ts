import type { Fix, Range } from '@tollgate/diagnostics';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports suppressions of lint rules that do not exist. */
export const UNKNOWN_RULE: LintRule = {
  id: 'meta/unknown-rule',
  severity: 'warning',
  summary: 'suppression of an unknown lint rule',
  rationale:
    'A misspelled id suppresses nothing, and nobody notices until the finding that it was meant for appears again.',
  bad: {
    policy: `\
inbound:
  - name: no training bots
    expressions:
      # tollgate-ignore «type/in-on-headers-list» -- one bot sends just its name
      - "'User-Agent' in req.Headers && req.Headers['User-Agent'].exists(value, value.contains('GPTBot'))"
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no training bots
    expressions:
      # tollgate-ignore type/in-on-header-list -- one bot sends just its name
      - "'User-Agent' in req.Headers && 'GPTBot' in req.Headers['User-Agent']"
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended', 'strict'],
  check: {
    suppressions: ({ suppressions, isKnown, suggestion }, context) => {
      for (const { name, range } of suppressions.flatMap(({ names }) => names)) {
        if (isKnown(name)) continue;
        const nearestId = suggestion(name);
        const hint = nearestId === undefined ? '' : `; did you mean \`${nearestId}\`?`;
        context.report({
          range,
          message: `unknown lint rule \`${name}\`${hint}`,
          args: { name, ...(nearestId !== undefined && { suggestion: nearestId }) },
          ...(nearestId !== undefined && { fixes: [changeTo(nearestId, range)] }),
        });
      }
    },
  },
};

function changeTo(newText: string, range: Range): Fix {
  return { title: `change to \`${newText}\``, applicability: 'suggestion', edits: [{ range, newText }] };
}
