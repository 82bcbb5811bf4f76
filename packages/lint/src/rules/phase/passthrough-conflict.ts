import { STRING_KEY } from '@tollgate/catalog';
import type { Expr } from '@tollgate/cel';
import type { EdgeDocument, Policy } from '@tollgate/policy';
import { variablePath } from '../../readers/source-nodes.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, rangeInDocument } from '../../rule-api/linted-expression.ts';

/** Reports `terminate_at: upstream` with a policy that needs decrypted traffic. */
export const PASSTHROUGH_CONFLICT: LintRule = {
  id: 'phase/passthrough-conflict',
  severity: 'error',
  summary: 'policy that needs decrypted traffic on an edge that does not terminate TLS',
  rationale:
    'With `terminate_at: upstream`, the edge forwards the encrypted connection. It sees no requests, certificates or TLS versions, ' +
    'only the requested server name, so an HTTP policy never runs and conditions on the other values have nothing to compare. Reported ' +
    'in files that contain an edge in the form of the Edge Configuration API.',
  bad: {
    policy: `\
{
  "hostports": ["devices.example.com:443"],
  "tls_termination": { "terminate_at": "upstream", "min_version": null },
  "policy": {
    "inbound": [
      {
        "name": "TLS 1.3 only",
        "expressions": ["!(«conn.TLS.Version».endsWith('1.3'))"],
        "actions": [{ "type": "deny" }]
      }
    ]
  }
}
`,
    endpoint: 'tls-edge',
    isEdge: true,
  },
  good: {
    policy: `\
{
  "hostports": ["devices.example.com:443"],
  "tls_termination": { "terminate_at": "edge", "min_version": "1.2" },
  "policy": {
    "inbound": [
      {
        "name": "TLS 1.3 only",
        "expressions": ["!(conn.TLS.Version.endsWith('1.3'))"],
        "actions": [{ "type": "deny" }]
      }
    ]
  }
}
`,
    endpoint: 'tls-edge',
    isEdge: true,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    policy: (policy, context) => {
      const { edge } = context.file;
      const isHttp = edge?.endpoint === 'https-route' && passesOn(edge);
      const key = isHttp ? keyOf(policy, edge) : undefined;
      if (!key) return;
      const message = `policy never runs: with \`terminate_at: ${edge!.termination!.at}\` the edge sees no requests; set it to \`edge\``;
      context.report({ range: key, message, related: terminationOf(context) });
    },
    nodes: {
      select: (node, at, context) => reportVariable(node, at, context),
    },
  },
};

function reportVariable(node: Expr, at: LintedExpression, context: LintContext): void {
  const { edge, roles } = context.file;
  if (!edge || !passesOn(edge)) return;
  const path = variablePath(at.typed, node);
  const parent = at.ancestors.at(-1);
  // Report the field rather than the value that contains it.
  if (parent?.kind === 'select' && parent.operand.id === node.id && parent.field !== STRING_KEY) return;
  if (path === undefined || !roles.variables.get(path)?.needsTermination) return;
  context.report({
    range: rangeInDocument(at, node.range),
    message: `\`${path}\` is unknown: with \`terminate_at: ${edge.termination!.at}\` the edge does not decrypt TLS; set it to \`edge\``,
    args: { path },
    related: terminationOf(context),
  });
}

/** True if the edge does not terminate TLS; older documents say `agent` instead of `upstream`. */
function passesOn({ termination }: EdgeDocument): boolean {
  return termination?.at === 'upstream' || termination?.at === 'agent';
}

function terminationOf({ file: { edge } }: LintContext) {
  return [{ range: edge!.termination!.range, message: 'TLS termination is set here' }];
}

/** Returns the range of the key whose value is the policy: the last one before it. */
function keyOf({ range }: Policy, { policies }: EdgeDocument) {
  return policies.findLast(({ keyRange }) => keyRange.end <= range.start)?.keyRange;
}
