import type { Expr } from '@tollgate/cel';
import type { Fix } from '@tollgate/diagnostics';
import { decides } from '../../analyses/access.ts';
import { ADDRESS_HEADERS } from '../../readers/http-names.ts';
import { sourceNodes } from '../../readers/source-nodes.ts';
import { sourceFix } from '../../rule-api/fixes.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, rangeInDocument } from '../../rule-api/linted-expression.ts';

/** Reports `getReqHeader('X-Forwarded-For')` in a condition that decides about access. */
export const TRUSTS_CLIENT_IP_HEADER: LintRule = {
  id: 'header/trusts-client-ip-header',
  severity: 'warning',
  summary: 'access decision based on an address that the client sends',
  rationale:
    'Clients can put any address into X-Forwarded-For, X-Real-IP and similar headers. The only address that the edge knows for certain ' +
    'is that of the connection.',
  bad: {
    policy: `\
inbound:
  - name: office only
    expressions: ["!«req.Headers['X-Real-Ip']»[0].startsWith('203.0.113.')"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: office only
    expressions: ["!inCidrRanges(conn.ClientIP, ['203.0.113.0/24', '2001:db8:7::/48'])"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended', 'security'],
  check: {
    expression: (at, context) => {
      if (at.role !== 'condition' || !decides(at.rule)) return;
      for (const { node, name } of at.analysis.lookupsOf('request-headers')) {
        const testsPresenceOnly = at.typed.types[node.id]?.kind === 'bool';
        if (testsPresenceOnly || !ADDRESS_HEADERS.has(name.toLowerCase())) continue;
        const address = context.file.roles.paths.get('client-address');
        context.report({
          range: rangeInDocument(at, node.range),
          message: `clients can send any address in \`${name}\`; use \`${address}\`, the address of the connection`,
          args: { header: name, ...(address !== undefined && { use: address }) },
          fixes: address === undefined ? [] : useInstead(at, node, address),
        });
      }
    },
  },
};

/** Replaces one value of the header. Offers nothing when the whole list is used. */
function useInstead(at: LintedExpression, node: Expr, address: string): readonly Fix[] {
  const nodes = sourceNodes(at.typed.ast).map(({ node: child }) => child);
  const outer = nodes.find(call => call.kind === 'call' && call.function === '_[_]' && call.args[0]?.id === node.id);
  const value = at.typed.types[node.id]?.kind === 'string' ? node : outer;
  if (!value || at.typed.types[value.id]?.kind !== 'string') return [];
  return [sourceFix(at, value, { newText: address, title: `use \`${address}\``, applicability: 'suggestion' })];
}
