import type { ConfigField, ConfigType, Interpolation } from '@tollgate/catalog';
import { contentRange, replaceScalar } from '@tollgate/policy';
import type { ConfigString } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `value: req.headers["x-user-id"]`. */
export const FORGOTTEN_INTERPOLATION: LintRule = {
  id: 'type/forgotten-interpolation',
  severity: 'warning',
  summary: 'variable name without `${…}`',
  rationale:
    'Configuration values are plain strings; only `${…}` is evaluated. A variable name without it is sent literally, so the upstream ' +
    'receives a header with the value `req.host`.',
  bad: {
    policy: `\
on_http_request:
  - name: pass the client address
    actions: [{ type: add-headers, config: { headers: { x-client: «conn.client_ip» } } }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: pass the client address
    actions: [{ type: add-headers, config: { headers: { x-client: "\${conn.client_ip}" } } }]
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended'],
  check: {
    configString: (text, context) => {
      const { node } = text;
      // `$conn.client_ip`, as shells and other servers write variables.
      const access = node.value.replace(/^\$/, '');
      const path = /^[\w.]+/.exec(access)?.[0] ?? '';
      if (!ACCESS.test(access) || !context.file.roles.variables.has(path) || !isInterpolated(text)) return;
      const newText = `\${${access}}`;
      context.report({
        range: node.text ? contentRange(node.text) : node.range,
        message: `\`${node.value}\` is sent literally; write \`${newText}\``,
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

/** Matches a variable with fields and indices, and nothing else. */
const ACCESS = /^[a-z]\w*(?:\.\w+)+(?:\[(?:\d+|"[^"]*"|'[^']*')\])*$/;

/** True if this part of the configuration is interpolated. */
function isInterpolated({ action, path }: ConfigString): boolean {
  return interpolationAt(action.fact?.config ?? [], path)?.endsWith('expressions') ?? false;
}

function interpolationAt(fields: readonly ConfigField[], path: readonly string[]): Interpolation | undefined {
  const [key, ...rest] = path;
  const field = fields.find(({ name }) => name === key);
  return field && (interpolationAt(fieldsOf(field.type), rest) ?? field.interpolation);
}

function fieldsOf(type: ConfigType): readonly ConfigField[] {
  if (type.kind === 'list') return fieldsOf(type.of);
  return type.kind === 'object' ? type.fields : [];
}
