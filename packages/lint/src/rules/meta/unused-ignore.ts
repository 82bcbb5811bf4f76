import type { Fix } from '@tollgate/diagnostics';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import type { UsedSuppression } from '../../rule-api/suppression.ts';
import { withoutNames } from '../../suppress/name-edit.ts';

/** A suppression that suppresses nothing. */
export const UNUSED_IGNORE: LintRule = {
  id: 'meta/unused-ignore',
  severity: 'warning',
  summary: 'a suppression that suppresses nothing',
  rationale:
    'What it was for has been mended, or never was there. It hides the next finding of that kind, which nobody has looked at.',
  bad: {
    policy: `\
inbound:
  # tollgate-ignore «type/in-on-header-list» -- bots
  - name: no trace
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  # Bots use other methods.
  - name: no trace
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'safe',
  presets: ['recommended', 'strict'],
  check: {
    suppressions: ({ suppressions, isKnown, isActive }, context) => {
      for (const one of suppressions) {
        if (one.isExpired) continue;
        const unused = one.unused.filter(({ name }) => isKnown(name) && isActive(name));
        for (const { name, range } of unused) {
          const message = `\`${name}\` has no finding here to suppress; take it out`;
          context.report({
            range,
            message,
            args: { name },
            fixes: fixesFor(one, unused, context),
            tags: ['unnecessary'],
          });
        }
      }
    },
  },
};

/** One fix for all names of a comment: with each by itself, the commas between them would be in the way of each other. */
function fixesFor(one: UsedSuppression, unused: UsedSuppression['names'], { file }: LintContext): readonly Fix[] {
  const edits = withoutNames(file.source.text, one, unused);
  return edits ? [{ title: 'take it out', applicability: 'safe', edits }] : [];
}
