import { STRING_KEY } from '@tollgate/catalog';
import type { Expr } from '@tollgate/cel';
import type { EdgeDocument, Policy } from '@tollgate/policy';
import { variablePath } from '../../expressions/variable-path.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, placeOf } from '../../rule-api/linted-expression.ts';

/** `terminate_at: upstream`, and a policy that needs what is inside of TLS. */
export const PASSTHROUGH_CONFLICT: LintRule = {
  id: 'phase/passthrough-conflict',
  severity: 'error',
  summary: 'a policy that needs what an edge cannot see which passes TLS on',
  rationale:
    'Where `terminate_at` is `upstream`, the edge passes the connection on as it is, encrypted. It sees no request, no certificate and no version ' +
    'of TLS, only which server was asked for: a policy of HTTP never runs, and a condition about the rest has nothing to compare. Found in files ' +
    'that hold an edge as the Edge Configuration API gives it.',
  bad: {
    policy: `\
{
  "hostports": ["devices.example.com:443"],
  "tls_termination": { "terminate_at": "upstream", "min_version": null },
  "policy": {
    "inbound": [
      {
        "name": "old protocols",
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
        "name": "old protocols",
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
      const isOfRequests = edge?.endpoint === 'https-route' && passesOn(edge);
      const own = isOfRequests ? keyOf(policy, edge) : undefined;
      if (!own) return;
      const message = `the policy never runs: \`terminate_at\` is \`${edge!.termination!.at}\`, so that the edge sees no requests; let it be \`edge\``;
      context.report({ range: own, message, related: terminationOf(context) });
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
  // Of a value with fields, the field says more.
  if (parent?.kind === 'select' && parent.operand.id === node.id && parent.field !== STRING_KEY) return;
  if (path === undefined || !roles.variables.get(path)?.needsTermination) return;
  context.report({
    range: placeOf(at, node.range),
    message: `\`${path}\` is not known here: \`terminate_at\` is \`${edge.termination!.at}\`, so that the edge does not see into TLS; let it be \`edge\``,
    args: { path },
    related: terminationOf(context),
  });
}

/** `agent` in older texts. */
function passesOn({ termination }: EdgeDocument): boolean {
  return termination?.at === 'upstream' || termination?.at === 'agent';
}

function terminationOf({ file: { edge } }: LintContext) {
  return [{ range: edge!.termination!.range, message: 'TLS ends here' }];
}

/** The key that a policy stands behind is the last before it. */
function keyOf({ range }: Policy, { policies }: EdgeDocument) {
  return policies.findLast(({ keyRange }) => keyRange.end <= range.start)?.keyRange;
}
