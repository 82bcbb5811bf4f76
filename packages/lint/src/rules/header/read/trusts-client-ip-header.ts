import type { Expr } from '@tollgate/cel';
import type { Fix } from '@tollgate/diagnostics';
import { decides } from '../../../analyses/access/rule-conditions.ts';
import { ADDRESS_HEADERS } from '../../../data/header-names.ts';
import { writtenNodes } from '../../../expressions/source-nodes.ts';
import { sourceFix } from '../../../fixes/literal-fix.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';
import { type LintedExpression, placeOf } from '../../../rule-api/linted-expression.ts';

/** `getReqHeader('X-Forwarded-For')` in a condition for access. */
export const TRUSTS_CLIENT_IP_HEADER: LintRule = {
  id: 'header/trusts-client-ip-header',
  severity: 'warning',
  summary: 'access that hangs on an address which the client writes itself',
  rationale:
    'Anybody can send X-Forwarded-For, X-Real-IP and their like with any address in it. What the edge itself knows is the address of ' +
    'the connection.',
  bad: {
    policy: `\
inbound:
  - name: only the office
    expressions: ["!«req.Headers['X-Real-Ip']»[0].startsWith('203.0.113.')"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: only the office
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
        const isAskedForOnly = at.typed.types[node.id]?.kind === 'bool';
        if (isAskedForOnly || !ADDRESS_HEADERS.has(name.toLowerCase())) continue;
        const own = context.file.roles.paths.get('client-address');
        context.report({
          range: placeOf(at, node.range),
          message: `anybody can send \`${name}\` with any address in it; decide by \`${own}\`, the address of the connection`,
          args: { header: name, ...(own !== undefined && { use: own }) },
          fixes: own === undefined ? [] : useInstead(at, node, own),
        });
      }
    },
  },
};

/** In the place of one value of the header; where all of them are looked at, there is no such place. */
function useInstead(at: LintedExpression, node: Expr, own: string): readonly Fix[] {
  const nodes = writtenNodes(at.typed.ast).map(one => one.node);
  const outer = nodes.find(one => one.kind === 'call' && one.function === '_[_]' && one.args[0]?.id === node.id);
  const value = at.typed.types[node.id]?.kind === 'string' ? node : outer;
  if (!value || at.typed.types[value.id]?.kind !== 'string') return [];
  return [sourceFix(at, value, { newText: own, title: `use \`${own}\``, applicability: 'suggestion' })];
}
