import { documentRange } from '@tollgate/policy';
import { conditionTests } from '../../analyses/access.ts';
import { isRedirect } from '../../readers/actions.ts';
import { fieldNamed } from '../../readers/profile-roles.ts';
import { originsIn } from '../../readers/value-origin.ts';
import type { ConfigString, LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { rangeInDocument } from '../../rule-api/linted-expression.ts';

/** Reports `to: https://$host$uri`. */
export const HOST_SPOOFING: LintRule = {
  id: 'header/host-spoofing',
  severity: 'info',
  summary: 'redirect to a host that the client chooses',
  rationale:
    "The host comes from the client's request. If an edge serves every host of a wildcard domain, a redirect that copies the host " +
    'leads wherever the client says, and a cache may serve that redirect to others. Write a fixed host, or compare the host with a ' +
    'list first.',
  bad: {
    policy: `\
inbound:
  - name: redirect HTTP to HTTPS
    expressions: ["req.URL.startsWith('http://')"]
    actions: [{ type: redirect, config: { from: "^http://.*$", to: "https://«$host»$uri" } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: redirect HTTP to HTTPS
    expressions: ["req.URL.startsWith('http://')"]
    actions: [{ type: redirect, config: { from: "^http://.*$", to: "https://shop.example.com$uri" } }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['strict'],
  check: {
    configString: (text, context) => {
      const variable = /\$(?:host|authority)\b/.exec(text.node.value);
      if (!variable || !text.node.text || !isOpenRedirect(text, context)) return;
      if (!fieldOf(text)?.interpolation?.includes('request')) return;
      const range = documentRange(text.node.text, { start: variable.index, end: variable.index + variable[0].length });
      report(range, variable[0], context);
    },
    expression: (at, context) => {
      if (at.role !== 'interpolation' || !at.config || !isOpenRedirect(at.config, context)) return;
      for (const { node, origin } of originsIn(at.typed, context.file.roles)) {
        if (origin.role === 'host') report(rangeInDocument(at, node.range), origin.path, context);
      }
    },
  },
};

function fieldOf({ action, path }: ConfigString) {
  return fieldNamed(action.fact?.config, path[0]!);
}

function isOpenRedirect(text: ConfigString, { file }: LintContext): boolean {
  if (!isRedirect(text.action) || fieldOf(text)?.role !== 'url-replacement') return false;
  return !conditionTests(text.place.rule, file.roles).some(({ origin }) => origin.role === 'host');
}

function report(range: Parameters<LintContext['report']>[0]['range'], name: string, context: LintContext): void {
  const message = `\`${name}\` is the host that the client sent; write a fixed host, or check it in a condition`;
  context.report({ range, message, args: { found: name } });
}
