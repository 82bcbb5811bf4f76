import type { Expr } from '@tollgate/cel';
import { exchangeText } from '@tollgate/solver/conditions';
import {
  type Absence,
  absentCookie,
  absentElement,
  absentPart,
  absentSetting,
  absentVariable,
  failureOf,
} from '../../analyses/failures.ts';
import { failsOpen, guardFixes } from '../../analyses/guards.ts';
import { policyLogic } from '../../logic/policy-logic.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, rangeInDocument, sourceOf } from '../../rule-api/linted-expression.ts';

/** Reports a rule that denies on `payload.role != 'admin'` although a token may lack that claim. */
export const FAILS_OPEN: LintRule = {
  id: 'sec/fails-open',
  severity: 'warning',
  summary: 'deny rule that an evaluation error disables',
  rationale:
    'A condition that ends in an error does not match. In a rule that denies traffic, a client that omits the claim, cookie or length, ' +
    'or sends letters where a number is expected, is therefore not denied. Test that the value exists and is well-formed, and deny ' +
    'requests where it is not.',
  bad: {
    policy: `\
inbound:
  - name: members only
    expressions: ["«getReqCookie('tier')».Value != 'member'"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: members only
    expressions: ["!hasReqCookie('tier') || getReqCookie('tier').Value != 'member'"]
    actions: [{ type: deny }]
`,
  },
  cost: 'slow',
  fixable: 'suggestion',
  presets: ['recommended', 'security', 'strict'],
  check: {
    nodes: {
      select: (node, at, context) => {
        if (!mayFail(at)) return;
        reportAbsence(
          node,
          absentVariable(node, at, context.file) ?? absentSetting(node, at) ?? absentPart(node, at),
          at,
          context,
        );
      },
      call: (node, at, context) => {
        if (!mayFail(at)) return;
        const failure = failureOf(node, at);
        if (failure === undefined)
          reportAbsence(
            node,
            absentCookie(node, at) ?? absentElement(node, at, context.file) ?? absentPart(node, at),
            at,
            context,
          );
        else if (failsOpen(at, context.file)) report(node, failure, at, context);
      },
    },
  },
};

function mayFail({ role }: LintedExpression): boolean {
  return role === 'condition';
}

function reportAbsence(node: Expr, absence: Absence | undefined, at: LintedExpression, context: LintContext): void {
  // Whether an endpoint is bound to Kubernetes does not depend on the client.
  if (!absence || /Kubernetes/.test(absence.when) || !failsOpen(at, context.file)) return;
  const request = skippedRequest(node, at, context);
  if (request === undefined) return;
  const { when, question } = absence;
  context.report({
    range: rangeInDocument(at, node.range),
    message: `evaluation fails when ${when}, so ${request} is not denied; test \`${question}\` first`,
    args: { found: sourceOf(at, node.range) },
    fixes: guardFixes(at, node, { question }),
  });
}

function report(node: Expr, failure: string, at: LintedExpression, context: LintContext): void {
  const request = skippedRequest(node, at, context);
  if (request === undefined) return;
  context.report({
    range: rangeInDocument(at, node.range),
    message: `${failure}, and on an error ${request} is not denied; test the value first`,
    args: { found: sourceOf(at, node.range) },
  });
}

/** Returns a request on which the operand of a node fails and the rule is skipped; undefined if it is proved that there is none. */
function skippedRequest(
  node: Expr,
  { ancestors, typed, rule, policy }: LintedExpression,
  { file }: LintContext,
): string | undefined {
  const root = [...ancestors, node].find(one => one.kind !== 'call' || !CONNECTIVES.has(one.function))!;
  const answer = policyLogic(policy, file).skippedAt(rule, { ...typed, ast: { ...typed.ast, root } });
  if (answer?.kind === 'impossible') return undefined;
  return answer?.kind === 'possible' ? exchangeText(answer.exchange) : 'the request';
}

const CONNECTIVES: ReadonlySet<string> = new Set(['_&&_', '_||_', '!_']);
