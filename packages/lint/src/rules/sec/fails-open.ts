import type { Expr } from '@tollgate/cel';
import {
  type Absence,
  absentCookie,
  absentElement,
  absentPart,
  absentSetting,
  absentVariable,
} from '../../analyses/failures/absences.ts';
import { failsOpen } from '../../analyses/failures/fails-open.ts';
import { failureOf } from '../../analyses/failures/failures.ts';
import { guardFixes } from '../../analyses/failures/guard-fix.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, placeOf, sourceOf } from '../../rule-api/linted-expression.ts';

/** `deny` where `payload.role != 'admin'`, for a token without that claim. */
export const FAILS_OPEN: LintRule = {
  id: 'sec/fails-open',
  severity: 'warning',
  summary: 'a refusal that an evaluation error turns off',
  rationale:
    'A condition that ends in an error does not match. In a rule that refuses traffic that means: whoever leaves out the claim, the cookie or ' +
    'the length, or sends letters where a number is expected, is not refused. Test that the value is there and well-formed, and refuse what is not.',
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
        const why = failureOf(node, at);
        if (why === undefined)
          reportAbsence(
            node,
            absentCookie(node, at) ?? absentElement(node, at, context.file) ?? absentPart(node, at),
            at,
            context,
          );
        else if (failsOpen(at, context.file)) report(node, `${why}, which ends in an error`, at, context);
      },
    },
  },
};

function mayFail({ role }: LintedExpression): boolean {
  return role === 'condition';
}

function reportAbsence(node: Expr, absence: Absence | undefined, at: LintedExpression, context: LintContext): void {
  if (!absence || !failsOpen(at, context.file)) return;
  const { when, question } = absence;
  context.report({
    range: placeOf(at, node.range),
    message: `this ends in an error when ${when}, and the traffic is not refused; test \`${question}\` first`,
    args: { found: sourceOf(at, node.range) },
    fixes: guardFixes(at, node, question),
  });
}

function report(node: Expr, why: string, at: LintedExpression, context: LintContext): void {
  context.report({
    range: placeOf(at, node.range),
    message: `${why}, and the traffic is not refused; test the value first`,
    args: { found: sourceOf(at, node.range) },
  });
}
