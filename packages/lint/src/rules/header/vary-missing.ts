import { setsHeader } from '../../analyses/access.ts';
import { headersOf, isAnswer, statusOf } from '../../readers/actions.ts';
import { isResponsePhase } from '../../readers/profile-roles.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, rangeInDocument } from '../../rule-api/linted-expression.ts';

/** Headers in which browsers state preferences and origins. */
const NEGOTIATION = new Set([
  'accept',
  'accept-language',
  'origin',
  'save-data',
  'sec-ch-ua',
  'sec-ch-ua-mobile',
  'dnt',
]);

/** Reports a response that depends on `Accept-Language` and has no `Vary`. */
export const VARY_MISSING: LintRule = {
  id: 'header/vary-missing',
  severity: 'info',
  summary: 'response that depends on a request header without `Vary`',
  rationale:
    'Caches reuse a response for other clients unless `Vary` names the request headers that it depends on (RFC 9111, section 4.1). ' +
    'Without it, visitors may get the language or the permissions of someone else.',
  bad: {
    policy: `\
outbound:
  - name: CORS for the shop
    expressions: ["«getReqHeader('Origin')».exists(origin, origin == 'https://shop.example.com')"]
    actions: [{ type: add-headers, config: { headers: { Access-Control-Allow-Origin: "https://shop.example.com" } } }]
`,
  },
  good: {
    policy: `\
outbound:
  - name: CORS for the shop
    expressions: ["getReqHeader('Origin').exists(origin, origin == 'https://shop.example.com')"]
    actions:
      - type: add-headers
        config: { headers: { Access-Control-Allow-Origin: "https://shop.example.com", Vary: Origin } }
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['strict'],
  check: {
    expression: (at, context) => {
      if (at.role !== 'condition' || !changesResponse(at, context) || setsHeader(at.rule.actions, 'vary')) return;
      for (const { node, name } of at.analysis.lookupsOf('request-headers')) {
        if (!NEGOTIATION.has(name.toLowerCase())) continue;
        context.report({
          range: rangeInDocument(at, node.range),
          message: `response depends on the request header \`${name}\`; add \`Vary: ${name}\``,
          args: { header: name },
        });
      }
    },
  },
};

function changesResponse({ rule }: LintedExpression, { file }: LintContext): boolean {
  const inResponse = isResponsePhase(file.profile, rule.phase);
  return rule.actions.some(
    action => (isAnswer(action) && (statusOf(action) ?? 200) < 400) || (inResponse && headersOf(action) !== undefined),
  );
}
