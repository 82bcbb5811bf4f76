import { documentRange } from '@tollgate/policy';
import { fieldNamed } from '../../readers/profile-roles.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Control characters except tab (RFC 9110, section 5.5). */
const FORBIDDEN = /[\x00-\x08\x0a-\x1f\x7f]/;

/** Reports a line break in a header value. */
export const VALUE_INVALID: LintRule = {
  id: 'header/value-invalid',
  severity: 'error',
  summary: 'control character in a header value',
  rationale:
    'A line break ends the header, and what follows it is read as another header or as the body. Other control characters make servers ' +
    'and clients reject the message (RFC 9110, section 5.5).',
  bad: {
    policy: `\
inbound:
  - name: mark requests
    actions: [{ type: add-headers, config: { headers: { X-Via: "edge«\\n»X-Admin: 1" } } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: mark requests
    actions: [{ type: add-headers, config: { headers: { X-Via: "edge" } } }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    configString: ({ node, action, path }, context) => {
      const type = fieldNamed(action.fact?.config, path[0]!)?.type;
      if (type?.kind !== 'map' || type.key !== 'header-name' || path.length < 2) return;
      // The line break at the end of a block scalar belongs to the layout.
      const value = node.style === 'literal' || node.style === 'folded' ? node.value.replace(/\n$/, '') : node.value;
      const at = value.search(FORBIDDEN);
      if (at < 0 || !node.text) return;
      const code = value.charCodeAt(at).toString(16).padStart(2, '0').toUpperCase();
      context.report({
        range: documentRange(node.text, { start: at, end: at + 1 }),
        message: `value of \`${path.at(-1)}\` contains the control character U+00${code}; remove it`,
        args: { header: path.at(-1)!, code: `U+00${code}` },
      });
    },
  },
};
