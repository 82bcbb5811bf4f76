import type { ValueRole } from '@tollgate/catalog';
import { conditionTests } from '../../analyses/access.ts';
import { originsIn, type ValueOrigin } from '../../readers/value-origin.ts';
import { isEquality } from '../../readers/value-tests.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, rangeInDocument } from '../../rule-api/linted-expression.ts';

/** Inputs that the client chooses freely. The host is not one of them: the edge serves only hosts that it knows. */
const CHOSEN: ReadonlySet<ValueRole | undefined> = new Set([
  ...(['query-parameters', 'request-headers', 'request-cookies', 'query', 'path'] as const),
]);

/** Reports `forward-internal` to a host that a header names. */
export const CLIENT_CHOSEN_UPSTREAM: LintRule = {
  id: 'sec/client-chosen-upstream',
  severity: 'warning',
  summary: 'upstream that the client chooses',
  rationale:
    'A client that names the upstream in a header, a parameter or the path can reach every internal service, also those that are not ' +
    'meant for it. Compare the value with a list of services in the condition of the rule.',
  bad: {
    policy: `\
on_http_request:
  - name: route by header
    expressions: ["'x-service' in req.headers"]
    actions: [{ type: forward-internal, config: { url: "https://\${«req.headers['x-service'][0]»}.internal" } }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: route by header
    expressions: ["'x-service' in req.headers && req.headers['x-service'].all(name, name in ['orders', 'users'])"]
    actions: [{ type: forward-internal, config: { url: "https://\${req.headers['x-service'][0]}.internal" } }]
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    expression: (at, context) => {
      if (at.role !== 'interpolation' || !isUpstreamHost(at)) return;
      for (const { node, origin } of originsIn(at.typed, context.file.roles)) {
        if (!CHOSEN.has(origin.role) || origin.name?.toLowerCase() === 'host') continue;
        // A path begins with a slash, which ends the host.
        if (origin.role === 'path' && origin.isWhole) continue;
        const isKnown = conditionTests(at.rule, context.file.roles).some(
          test => isSame(test.origin, origin) && (isEquality(test) || test.kind === 'matches'),
        );
        if (isKnown) continue;
        const what = origin.name === undefined ? origin.path : origin.name;
        context.report({
          range: rangeInDocument(at, node.range),
          message: `client chooses the upstream with \`${what}\`; compare it with a list of services in a condition`,
          args: { found: what },
        });
      }
    },
  },
};

function isSame(a: ValueOrigin, b: ValueOrigin): boolean {
  return a.path === b.path && a.name?.toLowerCase() === b.name?.toLowerCase();
}

/** True for a part of the host in the URL of an action that forwards requests or sends some. */
function isUpstreamHost({ config, offset, action }: LintedExpression): boolean {
  if (config?.path[0] !== 'url' || !/^(?:forward-internal|http-request)$/.test(action?.type.value ?? '')) return false;
  return /^(?:https?:\/\/)?[^/?#]*$/.test(
    config.node.value.slice(0, Math.max(0, offset - 2)).replaceAll(/\$\{[^}]*\}/g, ''),
  );
}
