import { headersOf, isAnswer, statusOf } from '../../../actions/action-parts.ts';
import { setsHeader } from '../../../analyses/access/rule-conditions.ts';
import { isResponsePhase } from '../../../profile/response-phase.ts';
import type { LintContext } from '../../../rule-api/lint-context.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';
import { type LintedExpression, placeOf } from '../../../rule-api/linted-expression.ts';

/** What a browser says of what it likes best, and where it comes from. */
const NEGOTIATION = new Set([
  'accept',
  'accept-language',
  'origin',
  'save-data',
  'sec-ch-ua',
  'sec-ch-ua-mobile',
  'dnt',
]);

/** A response that hangs on Accept-Language, without Vary. */
export const VARY_MISSING: LintRule = {
  id: 'header/vary-missing',
  severity: 'info',
  summary: 'a response that hangs on a header of the request, and does not say so',
  rationale:
    'A cache gives what one client got to the next, unless the response names, in Vary, the headers of the request that it hangs on ' +
    '(RFC 9111, section 4.1). Someone is then shown the page in the language, or with the permission, of someone else.',
  bad: {
    policy: `\
outbound:
  - name: the shop may ask
    expressions: ["«getReqHeader('Origin')».exists(origin, origin == 'https://shop.example.com')"]
    actions: [{ type: add-headers, config: { headers: { Access-Control-Allow-Origin: "https://shop.example.com" } } }]
`,
  },
  good: {
    policy: `\
outbound:
  - name: the shop may ask
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
          range: placeOf(at, node.range),
          message: `the response hangs on \`${name}\` of the request; add \`Vary: ${name}\` to it, so that caches keep it apart`,
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
