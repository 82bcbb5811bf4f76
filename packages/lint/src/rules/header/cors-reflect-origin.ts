import { conditionTests, setsHeader } from '../../analyses/access.ts';
import { headerOf, headersOf, stringOf } from '../../readers/actions.ts';
import type { ValueOrigin } from '../../readers/value-origin.ts';
import { passes, type ValueTest } from '../../readers/value-tests.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, rangeInDocument } from '../../rule-api/linted-expression.ts';

const ALLOWED = 'access-control-allow-origin';
const CREDENTIALS = 'access-control-allow-credentials';

/** Reports `access-control-allow-origin: ${req.headers['origin'][0]}` together with credentials. */
export const CORS_REFLECT_ORIGIN: LintRule = {
  id: 'header/cors-reflect-origin',
  severity: 'error',
  summary: 'CORS with credentials for any origin',
  rationale:
    'A response that echoes the `Origin` header of the request and allows credentials lets a script on any site read what the ' +
    'signed-in visitor can read here. Partial comparisons are no better: `evil-example.com` also ends with `example.com`. Compare the ' +
    'whole origin.',
  bad: {
    policy: `\
on_http_response:
  - name: allow cross-origin requests
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
  - name: CORS for the shop
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
      const text = allowed && stringOf(allowed.value);
      const credentials = headerOf(headers, CREDENTIALS);
      if (text?.value.trim() !== '*' || !credentials || !isTrue(stringOf(credentials.value)?.value)) return;
      context.report({
        range: text.place,
        message: 'browsers reject `*` together with credentials; name the allowed origin',
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
      '`Origin` is echoed unchecked, with credentials; compare it with the allowed origins in a condition';
    context.report({ range: rangeInDocument(at, node.range), message, args: { found: name } });
  }
}

function reportLoose(at: LintedExpression, context: LintContext): void {
  for (const test of at.analysis.valueTests) {
    const example = isOrigin(test.origin) ? looseExample(test) : undefined;
    if (example === undefined) continue;
    context.report({
      range: rangeInDocument(at, test.call.range),
      message: `origin \`${example}\` also passes this test; compare the whole origin`,
      args: { example },
      severity: 'warning',
    });
  }
}

/** Returns a foreign origin that passes the test, or undefined if none was found. */
function looseExample({ kind, literals, isNegated }: ValueTest): string | undefined {
  const text = literals[0]?.literal.value;
  if (typeof text !== 'string' || isNegated || kind === '==' || kind === 'in') return undefined;
  const host = text.replaceAll(/[\\^$]/g, '').replace(/^https?\??:\/\//, '');
  if (!/^[a-z0-9][\w.-]*$/i.test(host)) return undefined;
  const others = [`https://${host}.evil.example`, `https://evil-${host}`];
  return others.find(origin => passes(kind, text, origin));
}
