import { contentRange } from '@tollgate/policy';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `${…}` in profiles and keys without interpolation, and `${.conn.client_ip}` instead of `${conn.client_ip}`. */
export const INTERPOLATION_NOT_EVALUATED: LintRule = {
  id: 'type/interpolation-not-evaluated',
  severity: 'warning',
  summary: 'interpolation that is not evaluated',
  rationale:
    'Not every profile supports interpolation, and not every configuration key does. Elsewhere, `${…}` is sent literally.',
  bad: {
    policy: `\
inbound:
  - name: pass the client address
    actions: [{ type: add-headers, config: { headers: { X-Client: "«\${conn.ClientIP}»" } } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: pass the client address
    actions: [{ type: add-headers, config: { headers: { X-Edge: one } } }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    configString: ({ node, action, path }, context) => {
      const interpolation = node.value.includes('${') ? INTERPOLATION.exec(node.value) : undefined;
      const field = action.fact?.config.find(({ name }) => name === path[0]);
      // For keys with nested fields, the fields say whether they are interpolated.
      if (!interpolation || !field || !node.text || !FLAT.has(field.type.kind)) return;
      if (field.interpolation && (field.interpolation !== 'path-templates' || interpolation[0].startsWith('${.')))
        return;
      const { start } = contentRange(node.text);
      const isVerbatim = context.file.source.text.startsWith(node.value, start);
      const range = isVerbatim
        ? { start: start + interpolation.index, end: start + interpolation.index + interpolation[0].length }
        : contentRange(node.text);
      const message = `\`${interpolation[0]}\` is not evaluated here and is sent literally; remove it`;
      context.report({ range, message, args: { key: path[0]! } });
    },
  },
};

const INTERPOLATION = /\$\{[a-z.][^{}]*\}/i;
const FLAT: ReadonlySet<string> = new Set(['string', 'map', 'any']);
