import { isRefusal, textOfRole } from '../../actions/action-parts.ts';
import { textsOf, type ValueTest } from '../../expressions/value-tests.ts';
import { isRetired } from '../../profile/tls-versions.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { placeOf } from '../../rule-api/linted-expression.ts';

/** `min_version: "1.0"`. */
export const OBSOLETE_ALLOWED: LintRule = {
  id: 'tls/obsolete-allowed',
  severity: 'warning',
  summary: 'connections over TLS 1.0 or 1.1 that are let through on purpose',
  rationale:
    'TLS 1.0 and 1.1 must not be used any more (RFC 8996): attacks on them are known, and clients that have nothing newer are few.',
  bad: {
    policy: `\
on_tcp_connect:
  - name: everybody is welcome
    actions: [{ type: terminate-tls, config: { min_version: "«1.0»" } }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_tcp_connect:
  - name: everybody is welcome
    actions: [{ type: terminate-tls, config: { min_version: "1.2" } }]
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    action: (action, _, context) => {
      const least = textOfRole(action, 'least-tls-version');
      if (!least || !isRetired(least.value)) return;
      context.report({
        range: least.place,
        message: `version \`${least.value}\` of TLS has been retired (RFC 8996); ask for \`1.2\` at least`,
        args: { found: least.value },
      });
    },
    expression: (at, context) => {
      if (at.role !== 'condition' || !at.rule.actions.some(isRefusal)) return;
      const spared = at.analysis.testsOf('tls-version').filter(sparesItsLiterals);
      for (const { node, text } of textsOf(spared)) {
        if (!isRetired(text)) continue;
        context.report({
          range: placeOf(at, node.range),
          message: `\`${text}\` is spared by this refusal, and has been retired (RFC 8996); refuse it as well`,
          args: { found: text },
        });
      }
    },
  },
};

/** The refusal is for all others. */
function sparesItsLiterals({ kind, isNegated }: ValueTest): boolean {
  return kind === '!=' ? !isNegated : isNegated && ['==', 'in', 'contains', 'endsWith'].includes(kind);
}
