import type { ConfigField } from '@tollgate/catalog';
import { contentRange } from '@tollgate/policy';
import { SECRET_SHAPES } from '../../data/secret-shapes.ts';
import { fieldNamed } from '../../profile/profile-roles.ts';
import type { ConfigText } from '../../rule-api/config-text.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { placeOf } from '../../rule-api/linted-expression.ts';
import { isPlaceholder } from '../../strings/placeholder.ts';

/** Put together here, so that no scanner of repositories takes it for a key. */
const EXAMPLE_KEY = ['glpat', 'Kq7Zt4Xw9Lr2Bn6Vs1Hd'].join('-');

/** `Authorization: Bearer eyJ…`. */
export const SECRET_LITERAL: LintRule = {
  id: 'sec/secret-literal',
  severity: 'error',
  summary: 'a secret in clear',
  rationale:
    'A policy is read by many: it lies in a repository, is sent to a service, and shown by it. A secret in it is none any more, and stays ' +
    'in the history when it is taken out. Newer profiles have `secrets.get` for what must be there.',
  bad: {
    policy: `\
on_http_request:
  - name: the upstream knows us
    actions: [{ type: add-headers, config: { headers: { x-upstream-key: "«${EXAMPLE_KEY}»" } } }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: the upstream knows us
    actions: [{ type: add-headers, config: { headers: { x-upstream-key: "\${secrets.get('upstream', 'key')}" } } }]
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    configText: (text, context) => {
      const what = skeletonOf(text.node.value) ?? secretFieldOf(text);
      const { node } = text;
      if (what === undefined || isPlaceholderIn(text)) return;
      report(node.text ? contentRange(node.text) : node.range, what, context);
    },
    nodes: {
      literal: (node, at, context) => {
        const what =
          node.literal.type === 'string' && at.role === 'condition' ? skeletonOf(node.literal.value) : undefined;
        if (what !== undefined && !isPlaceholder(secretPart(String(node.literal.value)), false))
          report(placeOf(at, node.range), what, context);
      },
    },
  },
};

function report(range: Parameters<LintContext['report']>[0]['range'], what: string, context: LintContext): void {
  const hasSecrets = context.file.profile.functions.some(fact => fact.name === 'secrets.get');
  const hint = hasSecrets
    ? "read it with `secrets.get('vault', 'name')`"
    : 'keep it out of the policy, or fill it in when publishing';
  context.report({
    range,
    message: `this is ${what}, in clear; ${hint}, and replace the one that was written here`,
    args: { what },
  });
}

function skeletonOf(text: string): string | undefined {
  // All shapes have eight signs at least in one piece.
  return text.length < 12 ? undefined : SECRET_SHAPES.find(({ pattern }) => pattern.test(text))?.what;
}

/** What of a string is secret: not the scheme of a header, the user or the host. */
function secretPart(text: string): string {
  return /^\w+:\/\/[^/@]*:([^/@]*)@/.exec(text)?.[1] ?? text.replace(/^(?:Bearer|Basic|Token)\s+/i, '');
}

/** Credentials of users work as they stand, whatever is written there. */
function isPlaceholderIn({ node, action, path }: ConfigText): boolean {
  const field = fieldNamed(action.fact?.config, path[0]!);
  const isLive = field?.role === 'secret' && field.type.kind === 'list';
  return isPlaceholder(isLive ? node.value.slice(node.value.indexOf(':') + 1) : secretPart(node.value), isLive);
}

/** A field that is for a secret, and holds one as it stands. */
function secretFieldOf({ node, action, path }: ConfigText): string | undefined {
  const field: ConfigField | undefined = fieldNamed(action.fact?.config, path[0]!);
  if (field?.role !== 'secret' || node.value.includes('${') || node.value === '') return undefined;
  return `the secret of \`${field.name}\``;
}
