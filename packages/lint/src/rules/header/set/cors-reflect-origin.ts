import { headerOf, headersOf, textOf } from '../../../actions/action-parts.ts';
import { conditionTests, setsHeader } from '../../../analyses/access/rule-conditions.ts';
import type { ValueOrigin } from '../../../expressions/value-origin.ts';
import type { ValueTest } from '../../../expressions/value-tests.ts';
import type { LintContext } from '../../../rule-api/lint-context.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';
import { type LintedExpression, placeOf } from '../../../rule-api/linted-expression.ts';
import { passes } from '../../../strings/string-test.ts';

const ALLOWED = 'access-control-allow-origin';
const CREDENTIALS = 'access-control-allow-credentials';

/** `access-control-allow-origin: ${req.headers['origin'][0]}` with credentials. */
export const CORS_REFLECT_ORIGIN: LintRule = {
  id: 'header/cors-reflect-origin',
  severity: 'error',
  summary: 'every page may act for those who are signed in',
  rationale:
    'A response that names the origin of the request as allowed, with credentials, lets the scripts of any page read what the ' +
    'visitor of that page may read here. The same holds for origins that are only asked for a part: `evil-example.com` ends with ' +
    '`example.com`. Compare with whole origins.',
  bad: {
    policy: `\
on_http_response:
  - name: whoever asks
    actions:
      - type: add-headers
        config:
          headers:
            access-control-allow-origin: \${«getReqHeader('origin')»[0]}
            access-control-allow-credentials: "true"
            vary: origin
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_response:
  - name: the shop may ask
    expressions: ["getReqHeader('origin').exists(origin, origin == 'https://shop.example.com')"]
    actions:
      - type: add-headers
        config:
          headers:
            access-control-allow-origin: https://shop.example.com
            access-control-allow-credentials: "true"
            vary: origin
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    expression: (at, context) => {
      if (at.role === 'interpolation') reportReflected(at, context);
      else if (at.role === 'condition' && setsHeader(at.rule.actions, ALLOWED)) reportLoose(at, context);
    },
    action: (action, _, context) => {
      const headers = headersOf(action);
      const allowed = headerOf(headers, ALLOWED);
      const text = allowed && textOf(allowed.value);
      const credentials = headerOf(headers, CREDENTIALS);
      if (text?.value.trim() !== '*' || !credentials || !isTrue(textOf(credentials.value)?.value)) return;
      context.report({
        range: text.place,
        message: 'browsers refuse `*` together with credentials; name the origin that may ask',
        args: { found: '*' },
        related: [{ range: credentials.keyRange, message: 'credentials are allowed here' }],
      });
    },
  },
};

function isTrue(text: string | undefined): boolean {
  return text?.trim().toLowerCase() === 'true';
}

function isOrigin({ role, name }: Pick<ValueOrigin, 'role' | 'name'>): boolean {
  return role === 'request-headers' && name?.toLowerCase() === 'origin';
}

function reportReflected(at: LintedExpression, context: LintContext): void {
  if (at.config?.path.at(-1)?.toLowerCase() !== ALLOWED || !setsHeader(at.rule.actions, CREDENTIALS)) return;
  if (conditionTests(at.rule, context.file.roles).some(test => isOrigin(test.origin))) return;
  for (const { node, name } of at.analysis.lookupsOf('request-headers')) {
    if (name.toLowerCase() !== 'origin') continue;
    const message =
      'every origin is allowed with credentials, whatever the client sends; let a condition compare it with those that may';
    context.report({ range: placeOf(at, node.range), message, args: { found: name } });
  }
}

function reportLoose(at: LintedExpression, context: LintContext): void {
  for (const test of at.analysis.valueTests) {
    const example = isOrigin(test.origin) ? looseExample(test) : undefined;
    if (example === undefined) continue;
    context.report({
      range: placeOf(at, test.call.range),
      message: `\`${example}\` passes this test of the origin; compare with the whole of it`,
      args: { example },
      severity: 'warning',
    });
  }
}

/** An origin of somebody else for which the test holds; undefined when none was found. */
function looseExample({ kind, literals, isNegated }: ValueTest): string | undefined {
  const text = literals[0]?.literal.value;
  if (typeof text !== 'string' || isNegated || kind === '==' || kind === 'in') return undefined;
  const host = text.replaceAll(/[\\^$]/g, '').replace(/^https?\??:\/\//, '');
  if (!/^[a-z0-9][\w.-]*$/i.test(host)) return undefined;
  const others = [`https://${host}.evil.example`, `https://evil-${host}`];
  return others.find(origin => passes(kind, text, origin));
}
