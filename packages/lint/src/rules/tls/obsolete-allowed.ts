import { checkLiterals } from '../../analyses/literals.ts';
import { isRefusal, stringOfRole } from '../../readers/actions.ts';
import type { ValueTest } from '../../readers/value-tests.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { isRetired } from './tls-versions.ts';

/** Reports `min_version: "1.0"`. */
export const OBSOLETE_ALLOWED: LintRule = {
  id: 'tls/obsolete-allowed',
  severity: 'warning',
  summary: 'TLS 1.0 or 1.1 explicitly allowed',
  rationale:
    'TLS 1.0 and 1.1 must no longer be used (RFC 8996): there are known attacks on them, and few clients support nothing newer.',
  bad: {
    policy: `\
on_tcp_connect:
  - name: terminate TLS
    actions: [{ type: terminate-tls, config: { min_version: "«1.0»" } }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_tcp_connect:
  - name: terminate TLS
    actions: [{ type: terminate-tls, config: { min_version: "1.2" } }]
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    action: (action, _, context) => {
      const minimum = stringOfRole(action, 'least-tls-version');
      if (!minimum || !isRetired(minimum.value)) return;
      context.report({
        range: minimum.place,
        message: `TLS version \`${minimum.value}\` is obsolete (RFC 8996); require \`1.2\` or later`,
        args: { found: minimum.value },
      });
    },
    ...checkLiterals(
      ['tls-version'],
      ({ text }) => {
        if (!isRetired(text)) return undefined;
        return { message: `\`${text}\` is obsolete (RFC 8996), but this rule does not deny it; deny it too` };
      },
      (test, { role, rule }) => role === 'condition' && rule.actions.some(isRefusal) && sparesItsLiterals(test),
    ),
  },
};

/** True if the rule denies every version but those in the test. */
function sparesItsLiterals({ kind, isNegated }: ValueTest): boolean {
  return kind === '!=' ? !isNegated : isNegated && ['==', 'in', 'contains', 'endsWith'].includes(kind);
}
