import type { Fix } from '@tollgate/diagnostics';
import { withoutNames } from '../../rule-api/fixes.ts';
import type { LintContext, UsedSuppression } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports suppressions that have no finding to suppress. */
export const UNUSED_IGNORE: LintRule = {
  id: 'meta/unused-ignore',
  severity: 'warning',
  summary: 'unused suppression',
  rationale:
    'The finding that it suppressed has been fixed or never existed. The suppression would hide the next finding of that kind, which ' +
    'nobody has reviewed.',
  bad: {
    policy: `\
inbound:
  # tollgate-ignore «type/in-on-header-list» -- bots
  - name: no TRACE
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  # Bots use other methods.
  - name: no TRACE
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'safe',
  presets: ['recommended', 'strict'],
  check: {
    suppressions: ({ suppressions, isKnown, isActive }, context) => {
      for (const suppression of suppressions) {
        if (suppression.isExpired) continue;
        const unused = suppression.unused.filter(({ name }) => isKnown(name) && isActive(name));
        for (const { name, range } of unused) {
          const message = `\`${name}\` suppresses nothing here; remove it`;
          context.report({
            range,
            message,
            args: { name },
            fixes: fixesFor(suppression, unused, context),
            tags: ['unnecessary'],
          });
        }
      }
    },
  },
};

/** Removes all unused names of a comment in one fix, because separate fixes would conflict at the commas. */
function fixesFor(
  suppression: UsedSuppression,
  unused: UsedSuppression['names'],
  { file }: LintContext,
): readonly Fix[] {
  const edits = withoutNames(file.source.text, suppression, unused);
  return edits ? [{ title: 'remove unused names', applicability: 'safe', edits }] : [];
}
