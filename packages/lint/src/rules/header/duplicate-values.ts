import type { CallExpr, Expr } from '@tollgate/cel';
import { accessOf } from '../../analyses/access.ts';
import { mentions } from '../../analyses/failures.ts';
import { SELF_DESCRIPTION_HEADERS } from '../../readers/http-names.ts';
import type { Lookup } from '../../readers/lookups.ts';
import type { ValueTest } from '../../readers/value-tests.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, rangeInDocument, sourceOf } from '../../rule-api/linted-expression.ts';

/** Headers that servers reject or merge when repeated, and headers that do not grant access. */
const SINGLE: ReadonlySet<string> = new Set([
  ...SELF_DESCRIPTION_HEADERS,
  ...[
    'host',
    'content-type',
    'content-length',
    'authorization',
    'accept',
    'accept-language',
    'accept-encoding',
    'cookie',
  ],
]);

/** Reports `getReqHeader('X-Role')[0] == 'guest'` in a rule that denies requests. */
export const DUPLICATE_VALUES: LintRule = {
  id: 'header/duplicate-values',
  severity: 'warning',
  summary: 'access check that ignores further values of a header or parameter',
  rationale:
    'A client can send a header or parameter more than once, and the upstream may use a different value than the policy. A rule that ' +
    'denies on the first value misses the second; a rule that accepts any correct value lets wrong ones through as well. Deny if any ' +
    'value is wrong, and allow only if all are right.',
  bad: {
    policy: `\
inbound:
  - name: no guests
    expressions: ["hasReqHeader('X-Role') && «getReqHeader('X-Role')[0] == 'guest'»"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no guests
    expressions: ["getReqHeader('X-Role').exists(role, role == 'guest')"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    expression: (at, context) => {
      if (at.role !== 'condition') return;
      for (const test of at.analysis.testsOf('request-headers', 'query-parameters')) checkFirst(test, at, context);
    },
    calls: {
      exists: (call, at, context) => checkSome(call, call.target, at, context),
      '@in': (call, at, context) => checkSome(call, call.args[1], at, context),
    },
  },
};

function checkFirst(test: ValueTest, at: LintedExpression, context: LintContext): void {
  const { name } = test.origin;
  if (name === undefined || SINGLE.has(name.toLowerCase()) || accessOf(at, test) !== 'refuses') return;
  if (!readsFirst(test.operand, at) || test.literals.every(({ literal }) => literal.value === '')) return;
  context.report({
    range: rangeInDocument(at, test.call.range),
    message: `only the first value of \`${name}\` is compared, so a second one bypasses the rule; test all with \`exists\``,
    args: { name },
  });
}

/** True if the operand reads the first value, also through method calls: `x[0].lowerAscii()`. */
function readsFirst(node: Expr, at: LintedExpression): boolean {
  if (node.kind !== 'call') return false;
  const [list, index] = node.args;
  const isFirst = index?.kind === 'literal' && Number(index.literal.value) === 0;
  if (node.function === '_[_]' && list)
    return isFirst && at.typed.types[list.id]?.kind === 'list' && list.kind === 'call' && list.function !== 'split';
  return node.target !== undefined && readsFirst(node.target, at);
}

function checkSome(call: CallExpr, list: Expr | undefined, at: LintedExpression, context: LintContext): void {
  const read = list && at.role === 'condition' ? readOf(list, at) : undefined;
  if (!list || !read || SINGLE.has(read.name.toLowerCase())) return;
  const isNegated = at.analysis.nodes.find(({ node }) => node.id === call.id)?.isNegated ?? false;
  const source = sourceOf(at, list.range);
  const isCounted = [`size(${source})`, `${source}.size()`, `${source}.all(`].some(call => mentions(call, at) > 0);
  if (isCounted || accessOf(at, { kind: '==', isNegated }) !== 'spares') return;
  context.report({
    range: rangeInDocument(at, call.range),
    message: `one correct value of \`${read.name}\` lets wrong ones pass too; use \`all\`, and check that the list is not empty`,
    args: { name: read.name },
  });
}

function readOf(list: Expr, at: LintedExpression): Lookup | undefined {
  if (at.typed.types[list.id]?.kind !== 'list') return undefined;
  return at.analysis.lookupsOf('request-headers', 'query-parameters').find(({ node }) => node.id === list.id);
}
