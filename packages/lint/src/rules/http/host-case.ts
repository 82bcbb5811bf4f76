import { checkLiterals } from '../../analyses/literals.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `req.Host == 'Shop.example.com'`. */
export const HOST_CASE: LintRule = {
  id: 'http/host-case',
  severity: 'warning',
  summary: 'host name with capital letters in a comparison',
  rationale:
    'Case does not matter in host names, and browsers send them in lower case. A comparison with capitals never holds for them, so a ' +
    'rule that denies `Admin.example.com` denies no browser.',
  bad: {
    policy: `\
inbound:
  - name: no preview
    expressions: ["req.Host == «'Preview.example.com'»"]
    actions: [{ type: log }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no preview
    expressions: ["req.Host == 'preview.example.com'"]
    actions: [{ type: log }]
`,
  },
  cost: 'fast',
  fixable: 'unsafe',
  presets: ['recommended', 'security'],
  check: checkLiterals(
    ['host'],
    ({ text }) => {
      const suggestion = text.toLowerCase();
      if (text === suggestion) return undefined;
      return {
        message: `browsers send host names in lower case, so \`${text}\` does not match; write \`${suggestion}\``,
        suggestion,
      };
    },
    // `logic/case-mismatch` reports values that were converted, and patterns may ignore case.
    ({ kind, origin }) => kind !== 'matches' && origin.letters === 'as-is',
  ),
};
