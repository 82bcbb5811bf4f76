import type { Expr } from '@tollgate/cel';
import type { Diagnostic } from '@tollgate/diagnostics';
import type { Policy, Rule } from '@tollgate/policy';
import { analyzeExpression } from '../expressions/expression-analysis.ts';
import type { LintedFile } from '../rule-api/lint-context.ts';
import type { LintedTests } from '../rule-api/linted-tests.ts';
import type { SuppressionReport } from '../rule-api/suppression.ts';
import type { Dispatch } from './dispatch.ts';
import { walkConfig } from './walk-config.ts';
import { walkExpression } from './walk-expression.ts';

/** Visits a file for lint rules in one walk and returns their findings in order. */
export function walkFile(file: LintedFile, dispatch: Dispatch): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const run of dispatch.runs) run.start({ file, found });
  for (const { call, run } of dispatch.file) run.show(call, file);
  for (const policy of file.policies) walkPolicy(policy, file, dispatch);
  return found;
}

/** Visits a file of policy tests. */
export function walkTests(tests: LintedTests, file: LintedFile, dispatch: Dispatch): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const run of dispatch.runs) run.start({ file, found });
  for (const { call, run } of dispatch.tests) run.show(call, tests);
  return found;
}

/** Visits the suppressions of a file after it was linted. */
export function walkSuppressions(
  file: LintedFile,
  report: SuppressionReport,
  dispatch: Dispatch,
): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const run of dispatch.runs) run.start({ file, found });
  for (const { call, run } of dispatch.suppressions) run.show(call, report);
  return found;
}

function walkPolicy(policy: Policy, file: LintedFile, dispatch: Dispatch): void {
  for (const { call, run } of dispatch.policy) run.show(call, policy);
  for (const phase of file.profile.phases) {
    for (const rule of policy.rules[phase]) walkRule(rule, policy, { file, dispatch });
  }
}

function walkRule(
  rule: Rule,
  policy: Policy,
  { file, dispatch }: { readonly file: LintedFile; readonly dispatch: Dispatch },
): void {
  for (const { call, run } of dispatch.rule) run.showAt(call, rule, policy);
  const document = file.source.text;
  for (const { typed, text } of rule.expressions) {
    if (!typed) continue;
    const ancestors: Expr[] = [];
    const where = { policy, rule, action: undefined, config: undefined, text, offset: 0, document, ancestors };
    walkExpression(
      { role: 'condition', typed, analysis: analyzeExpression(typed, file.roles), ...where },
      ancestors,
      dispatch,
    );
  }
  rule.actions.forEach((action, index) => {
    const place = { policy, rule, index };
    for (const { call, run } of dispatch.action) run.showAt(call, action, place);
    walkConfig({ action, place, file, dispatch });
  });
}
