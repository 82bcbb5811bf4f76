import type { Expr, TypedAst } from '@tollgate/cel';
import { childrenOf } from '@tollgate/cel/tooling';
import { isRefusal } from '../../readers/actions.ts';
import { analyzeExpression } from '../../readers/expression-analysis.ts';
import { SELF_DESCRIPTION_HEADERS } from '../../readers/http-names.ts';
import { lookupsIn } from '../../readers/lookups.ts';
import type { ProfileRoles } from '../../readers/profile-roles.ts';
import { asWritten } from '../../readers/source-nodes.ts';
import type { ValueOrigin } from '../../readers/value-origin.ts';
import type { ValueTest } from '../../readers/value-tests.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { rangeInDocument } from '../../rule-api/linted-expression.ts';

/** Reports a rule that denies every client except those with a certain `User-Agent`. */
export const UA_ONLY_AUTH: LintRule = {
  id: 'header/ua-only-auth',
  severity: 'info',
  summary: 'access control based only on headers that clients choose freely',
  rationale:
    'User-Agent, Referer and Origin contain whatever a client sends. Denying clients that identify themselves is fine; admitting ' +
    'clients only because they send the right value protects nothing.',
  bad: {
    policy: `\
inbound:
  - name: app only
    expressions: ["!getReqHeader('User-Agent').exists(agent, «agent.contains('OurApp/')»)"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: app only
    expressions: ["!hasReqHeader('X-App-Key')"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    expression: (at, context) => {
      if (at.role !== 'condition' || !at.rule.actions.some(isRefusal)) return;
      const spared = at.analysis.valueTests.filter(test => isSelfDescription(test.origin) && spares(test));
      if (
        spared.length === 0 ||
        !at.rule.expressions.every(({ typed }) => !typed || restsOnNames(typed, context.file.roles))
      )
        return;
      for (const test of spared) {
        context.report({
          range: rangeInDocument(at, test.call.range),
          message: `\`${test.origin.name ?? test.origin.path}\` alone grants access, and clients can send any value; require a credential`,
          args: { header: test.origin.name ?? test.origin.path },
        });
      }
    },
  },
};

/** True if the rule admits only clients that pass the test. */
function spares({ kind, isNegated, literals }: ValueTest): boolean {
  if (literals.every(({ literal }) => literal.value === '')) return false;
  return kind === '!=' ? !isNegated : isNegated;
}

function isSelfDescription({ role, name }: Pick<ValueOrigin, 'role' | 'name'>): boolean {
  return (
    role === 'user-agent' || (role === 'request-headers' && SELF_DESCRIPTION_HEADERS.has(name?.toLowerCase() ?? ''))
  );
}

/** True if every input of the expression is one of these headers. */
function restsOnNames(typed: TypedAst, roles: ProfileRoles): boolean {
  const selfDescriptions = new Set<Expr>([
    ...analyzeExpression(typed, roles)
      .valueTests.filter(({ origin }) => isSelfDescription(origin))
      .map(({ call }) => call),
    ...lookupsIn(typed, roles)
      .filter(isSelfDescription)
      .map(({ node }) => node),
  ]);
  const rests = (expanded: Expr): boolean => {
    const node = asWritten(typed.ast, expanded);
    if (selfDescriptions.has(node)) return true;
    if (node.kind !== 'call') return false;
    if (['exists', 'all'].includes(node.function) && node.args.length === 2) return rests(node.args[1]!);
    const parts = childrenOf(node).filter(child => child.kind !== 'literal');
    return parts.length > 0 && parts.every(rests);
  };
  return rests(typed.ast.root);
}
