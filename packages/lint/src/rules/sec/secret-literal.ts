import type { ConfigField } from '@tollgate/catalog';
import { contentRange } from '@tollgate/policy';
import { fieldNamed } from '../../readers/profile-roles.ts';
import type { ConfigString, LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { rangeInDocument } from '../../rule-api/linted-expression.ts';
import { isPlaceholder, SECRET_SHAPES } from './secrets.ts';

/** Assembled here so that secret scanners do not report this file. */
const EXAMPLE_KEY = ['glpat', 'Kq7Zt4Xw9Lr2Bn6Vs1Hd'].join('-');

/** Reports `Authorization: Bearer eyJ…`. */
export const SECRET_LITERAL: LintRule = {
  id: 'sec/secret-literal',
  severity: 'error',
  summary: 'plaintext secret',
  rationale:
    'Many people and systems read a policy: it is stored in a repository, sent to a service and displayed there. A secret in it is no ' +
    'longer secret, and stays in the history after it is removed. In newer profiles, read secrets with `secrets.get`.',
  bad: {
    policy: `\
on_http_request:
  - name: authenticate to the upstream
    actions: [{ type: add-headers, config: { headers: { x-upstream-key: "«${EXAMPLE_KEY}»" } } }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: authenticate to the upstream
    actions: [{ type: add-headers, config: { headers: { x-upstream-key: "\${secrets.get('upstream', 'key')}" } } }]
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    configString: (text, context) => {
      const description = skeletonOf(text.node.value) ?? secretFieldOf(text);
      const { node } = text;
      if (description === undefined || isPlaceholderIn(text)) return;
      report(node.text ? contentRange(node.text) : node.range, description, context);
    },
    nodes: {
      literal: (node, at, context) => {
        const description =
          node.literal.type === 'string' && at.role === 'condition' ? skeletonOf(node.literal.value) : undefined;
        if (description !== undefined && !isPlaceholder(secretPart(String(node.literal.value)), false))
          report(rangeInDocument(at, node.range), description, context);
      },
    },
  },
};

function report(range: Parameters<LintContext['report']>[0]['range'], description: string, context: LintContext): void {
  const hasSecrets = context.file.profile.functions.some(({ name }) => name === 'secrets.get');
  const hint = hasSecrets
    ? "read it with `secrets.get('vault', 'name')`"
    : 'move it out of the policy, or insert it when publishing';
  context.report({
    range,
    message: `policy contains ${description} in plain text; ${hint}, and revoke this one`,
    args: { what: description },
  });
}

function skeletonOf(text: string): string | undefined {
  // Real credentials are longer; this skips most strings without matching patterns.
  return text.length < 12 ? undefined : SECRET_SHAPES.find(({ pattern }) => pattern.test(text))?.what;
}

/** Returns the secret part of a string, without the scheme of a header, the user or the host. */
function secretPart(text: string): string {
  return /^\w+:\/\/[^/@]*:([^/@]*)@/.exec(text)?.[1] ?? text.replace(/^(?:Bearer|Basic|Token)\s+/i, '');
}

/** True if the string is a placeholder. Lists of credentials are live: even `changeme` works as a password there. */
function isPlaceholderIn({ node, action, path }: ConfigString): boolean {
  const field = fieldNamed(action.fact?.config, path[0]!);
  const isLive = field?.role === 'secret' && field.type.kind === 'list';
  return isPlaceholder(isLive ? node.value.slice(node.value.indexOf(':') + 1) : secretPart(node.value), isLive);
}

/** Describes the field if it is meant for a secret and contains one literally. */
function secretFieldOf({ node, action, path }: ConfigString): string | undefined {
  const field: ConfigField | undefined = fieldNamed(action.fact?.config, path[0]!);
  if (field?.role !== 'secret' || node.value.includes('${') || node.value === '') return undefined;
  return `the value of \`${field.name}\``;
}
