import { contentRange } from '@tollgate/policy';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** `${.conn.client_ip}` where `${conn.client_ip}` is meant, or `${…}` in an older profile. */
export const INTERPOLATION_NOT_EVALUATED: LintRule = {
  id: 'type/interpolation-not-evaluated',
  severity: 'warning',
  summary: 'an expression in braces that is sent as it is written',
  rationale:
    'Not every profile fills in expressions, and not every key of a configuration does. Where it is not done, `${…}` goes out as these characters.',
  bad: {
    policy: `\
inbound:
  - name: tell who it is
    actions: [{ type: add-headers, config: { headers: { X-Client: "«\${conn.ClientIP}»" } } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: tell who it is
    actions: [{ type: add-headers, config: { headers: { X-Edge: one } } }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    configText: ({ node, action, path }, context) => {
      const found = node.value.includes('${') ? INTERPOLATION.exec(node.value) : undefined;
      const field = action.fact?.config.find(one => one.name === path[0]);
      // Of keys with fields of their own, these say whether something is filled in.
      if (!found || !field || !node.text || !FLAT.has(field.type.kind)) return;
      if (field.interpolation && (field.interpolation !== 'path-templates' || found[0].startsWith('${.'))) return;
      const { start } = contentRange(node.text);
      const isVerbatim = context.file.source.text.startsWith(node.value, start);
      const range = isVerbatim
        ? { start: start + found.index, end: start + found.index + found[0].length }
        : contentRange(node.text);
      const message = `nothing is filled in here: \`${found[0]}\` is sent as it is written`;
      context.report({ range, message, args: { key: path[0]! } });
    },
  },
};

const INTERPOLATION = /\$\{[a-z.][^{}]*\}/i;
const FLAT: ReadonlySet<string> = new Set(['string', 'map', 'any']);
