import type { TypedAst } from '@tollgate/cel';
import { childrenOf, type Expr } from '@tollgate/cel';
import { isRefusal } from '../../../actions/action-parts.ts';
import { SELF_DESCRIPTION_HEADERS } from '../../../data/header-names.ts';
import { analyzeExpression } from '../../../expressions/expression-analysis.ts';
import { lookupsIn } from '../../../expressions/lookups.ts';
import { written } from '../../../expressions/source-nodes.ts';
import type { ValueOrigin } from '../../../expressions/value-origin.ts';
import type { ValueTest } from '../../../expressions/value-tests.ts';
import type { ProfileRoles } from '../../../profile/profile-roles.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';
import { placeOf } from '../../../rule-api/linted-expression.ts';

/** Refusing all whose user agent is not a certain one. */
export const UA_ONLY_AUTH: LintRule = {
  id: 'header/ua-only-auth',
  severity: 'info',
  summary: 'access for whoever says the right name of itself',
  rationale:
    'User-Agent, Referer and Origin are what a client says of itself, and a program says whatever it likes. Refusing those that name ' +
    'themselves honestly is fine; letting pass who says the right word protects nothing.',
  bad: {
    policy: `\
inbound:
  - name: our app only
    expressions: ["!getReqHeader('User-Agent').exists(agent, «agent.contains('OurApp/')»)"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: our app only
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
          range: placeOf(at, test.call.range),
          message: `whoever says so passes: \`${test.origin.name ?? test.origin.path}\` is what clients say of themselves; ask for something that they must know`,
          args: { header: test.origin.name ?? test.origin.path },
        });
      }
    },
  },
};

/** The refusal is for all others. */
function spares({ kind, isNegated, literals }: ValueTest): boolean {
  if (literals.every(({ literal }) => literal.value === '')) return false;
  return kind === '!=' ? !isNegated : isNegated;
}

function isSelfDescription({ role, name }: Pick<ValueOrigin, 'role' | 'name'>): boolean {
  return (
    role === 'user-agent' || (role === 'request-headers' && SELF_DESCRIPTION_HEADERS.has(name?.toLowerCase() ?? ''))
  );
}

/** Whether nothing else is asked for: every input in it is one of these headers. */
function restsOnNames(typed: TypedAst, roles: ProfileRoles): boolean {
  const asked = new Set<Expr>([
    ...analyzeExpression(typed, roles)
      .valueTests.filter(({ origin }) => isSelfDescription(origin))
      .map(({ call }) => call),
    ...lookupsIn(typed, roles)
      .filter(isSelfDescription)
      .map(({ node }) => node),
  ]);
  const rests = (expanded: Expr): boolean => {
    const node = written(typed.ast, expanded);
    if (asked.has(node)) return true;
    if (node.kind !== 'call') return false;
    if (['exists', 'all'].includes(node.function) && node.args.length === 2) return rests(node.args[1]!);
    const parts = childrenOf(node).filter(child => child.kind !== 'literal');
    return parts.length > 0 && parts.every(rests);
  };
  return rests(typed.ast.root);
}
