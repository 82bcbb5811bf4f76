import type { ConfigField, ConfigType, Interpolation } from '@tollgate/catalog';
import { contentRange, replaceScalar } from '@tollgate/policy';
import type { ConfigText } from '../../rule-api/config-text.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** `value: req.headers["x-user-id"]`. */
export const FORGOTTEN_INTERPOLATION: LintRule = {
  id: 'type/forgotten-interpolation',
  severity: 'warning',
  summary: 'a variable that is sent as its name',
  rationale:
    'What an action is configured with is text, and only what stands in `${…}` is looked up. The name of a variable without it is sent as it is written: ' +
    'the upstream gets a header that says `req.host`.',
  bad: {
    policy: `\
on_http_request:
  - name: tell who it is
    actions: [{ type: add-headers, config: { headers: { x-client: «conn.client_ip» } } }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: tell who it is
    actions: [{ type: add-headers, config: { headers: { x-client: "\${conn.client_ip}" } } }]
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended'],
  check: {
    configText: (text, context) => {
      const { node } = text;
      const path = /^[\w.]+/.exec(node.value)?.[0] ?? '';
      if (!ACCESS.test(node.value) || !context.file.roles.variables.has(path) || !isInterpolated(text)) return;
      const newText = `\${${node.value}}`;
      context.report({
        range: node.text ? contentRange(node.text) : node.range,
        message: `\`${node.value}\` is sent as this text; write \`${newText}\` for its value`,
        args: { path },
        fixes: node.text
          ? [
              {
                title: `change to \`${newText}\``,
                applicability: 'suggestion',
                edits: replaceScalar(context.file.source.text, node.text, newText),
              },
            ]
          : [],
      });
    },
  },
};

/** A variable with fields and indices, and nothing else. */
const ACCESS = /^[a-z]\w*(?:\.\w+)+(?:\[(?:\d+|"[^"]*"|'[^']*')\])*$/;

/** Whether expressions are filled in at this place of the configuration. */
function isInterpolated({ action, path }: ConfigText): boolean {
  return interpolationAt(action.fact?.config ?? [], path)?.endsWith('expressions') ?? false;
}

function interpolationAt(fields: readonly ConfigField[], path: readonly string[]): Interpolation | undefined {
  const [key, ...rest] = path;
  const field = fields.find(one => one.name === key);
  return field && (interpolationAt(fieldsOf(field.type), rest) ?? field.interpolation);
}

function fieldsOf(type: ConfigType): readonly ConfigField[] {
  if (type.kind === 'list') return fieldsOf(type.of);
  return type.kind === 'object' ? type.fields : [];
}
