import { documentRange } from '@tollgate/policy';
import { isRedirect } from '../../../actions/action-parts.ts';
import { conditionTests } from '../../../analyses/access/rule-conditions.ts';
import { originsIn } from '../../../expressions/value-origin.ts';
import { fieldNamed } from '../../../profile/profile-roles.ts';
import type { ConfigText } from '../../../rule-api/config-text.ts';
import type { LintContext } from '../../../rule-api/lint-context.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';
import { placeOf } from '../../../rule-api/linted-expression.ts';

/** `to: https://$host$uri`. */
export const HOST_SPOOFING: LintRule = {
  id: 'header/host-spoofing',
  severity: 'info',
  summary: 'a redirect to whatever host the client names',
  rationale:
    'The host is what the client sends. Where an edge answers for any host of a wildcard domain, a redirect that puts it in leads ' +
    'wherever the client says, and a cache gives it to others. Write the host, or ask for one of a list before.',
  bad: {
    policy: `\
inbound:
  - name: leave plain HTTP behind
    expressions: ["req.URL.startsWith('http://')"]
    actions: [{ type: redirect, config: { from: "^http://.*$", to: "https://«$host»$uri" } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: leave plain HTTP behind
    expressions: ["req.URL.startsWith('http://')"]
    actions: [{ type: redirect, config: { from: "^http://.*$", to: "https://shop.example.com$uri" } }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['strict'],
  check: {
    configText: (text, context) => {
      const named = /\$(?:host|authority)\b/.exec(text.node.value);
      if (!named || !text.node.text || !isOpenRedirect(text, context)) return;
      if (!fieldOf(text)?.interpolation?.includes('request')) return;
      const range = documentRange(text.node.text, { start: named.index, end: named.index + named[0].length });
      report(range, named[0], context);
    },
    expression: (at, context) => {
      if (at.role !== 'interpolation' || !at.config || !isOpenRedirect(at.config, context)) return;
      for (const { node, origin } of originsIn(at.typed, context.file.roles)) {
        if (origin.role === 'host') report(placeOf(at, node.range), origin.path, context);
      }
    },
  },
};

function fieldOf({ action, path }: ConfigText) {
  return fieldNamed(action.fact?.config, path[0]!);
}

function isOpenRedirect(text: ConfigText, { file }: LintContext): boolean {
  if (!isRedirect(text.action) || fieldOf(text)?.role !== 'url-replacement') return false;
  return !conditionTests(text.place.rule, file.roles).some(({ origin }) => origin.role === 'host');
}

function report(range: Parameters<LintContext['report']>[0]['range'], name: string, context: LintContext): void {
  const message = `\`${name}\` is the host that the client names; write the host, or let a condition ask for those that are yours`;
  context.report({ range, message, args: { found: name } });
}
