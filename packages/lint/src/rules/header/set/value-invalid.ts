import { documentRange } from '@tollgate/policy';
import { fieldNamed } from '../../../profile/profile-roles.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';

/** Control characters but for the tab (RFC 9110, section 5.5). */
const FORBIDDEN = /[\x00-\x08\x0a-\x1f\x7f]/;

/** A line break in the value of a header. */
export const VALUE_INVALID: LintRule = {
  id: 'header/value-invalid',
  severity: 'error',
  summary: 'a header value with signs that end it, or that no header may have',
  rationale:
    'A line break in a value ends the header: what follows is taken for another one, or for the body. Other control characters make ' +
    'servers and clients refuse the message (RFC 9110, section 5.5).',
  bad: {
    policy: `\
inbound:
  - name: tell who sends
    actions: [{ type: add-headers, config: { headers: { X-Via: "edge«\\n»X-Admin: 1" } } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: tell who sends
    actions: [{ type: add-headers, config: { headers: { X-Via: "edge" } } }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    configText: ({ node, action, path }, context) => {
      const type = fieldNamed(action.fact?.config, path[0]!)?.type;
      if (type?.kind !== 'map' || type.key !== 'header-name' || path.length < 2) return;
      // The line break at the end of a block is another matter: it is the layout that has it.
      const value = node.style === 'literal' || node.style === 'folded' ? node.value.replace(/\n$/, '') : node.value;
      const at = value.search(FORBIDDEN);
      if (at < 0 || !node.text) return;
      const code = value.charCodeAt(at).toString(16).padStart(2, '0').toUpperCase();
      context.report({
        range: documentRange(node.text, { start: at, end: at + 1 }),
        message: `the value of \`${path.at(-1)}\` has the control character U+00${code}, which no header may have; take it out`,
        args: { header: path.at(-1)!, code: `U+00${code}` },
      });
    },
  },
};
