export { type ActiveRule, activate } from './config/active-rule.ts';
export { CODES_BY_ID, LOWERABLE } from './config/analysis-codes.ts';
export { knownIds } from './config/known-ids.ts';
export type { JoinedSettings, LintSettings, RuleSettings } from './config/lint-settings.ts';
export { readLintSettings, ruleSettingsFaults } from './config/read-lint-settings.ts';
export { resolveRules } from './config/resolve-rules.ts';
export { ruleFaults } from './config/rule-faults.ts';
export { COUNTRY_CODES } from './data/countries.ts';
export { HTTP_METHODS } from './data/http-methods.ts';
export { fixText } from './engine/fix-text.ts';
export {
  createLinter,
  type Linter,
  type LintTestsOptions,
  type LintTextOptions,
  lintTests,
  lintText,
} from './engine/lint-text.ts';
export { lintWorkspace, type Summaries } from './engine/lint-workspace.ts';
export { mayReport } from './engine/may-report.ts';
export type { ExpressionAnalysis } from './expressions/expression-analysis.ts';
export { literalString, variablePath } from './expressions/variable-path.ts';
export type { ActionLocation, ConfigString } from './rule-api/config-string.ts';
export type { FileAnalysis, LintContext, LintedFile, LintFinding } from './rule-api/lint-context.ts';
export {
  categoryOf,
  type FileSummary,
  type LintExample,
  type LintRule,
} from './rule-api/lint-rule.ts';
export { editsOf, type LintedExpression, rangeInDocument, sourceOf } from './rule-api/linted-expression.ts';
export type { LintedTests, RuleCoverage } from './rule-api/linted-tests.ts';
export type { Suppression, SuppressionReport } from './rule-api/suppression.ts';
export type { CallVisitor, NodeVisitor, Visitor } from './rule-api/visitor.ts';
export { LINT_RULES } from './rules/lint-rules.ts';
export { lintExample, lintedText } from './testing/lint-example.ts';
export { unmark } from './testing/marked-text.ts';
export type { Fence, Fenced } from './walk/fence.ts';
export type { RuleFailure } from './walk/rule-failure.ts';
export type { RuleOutcome } from './walk/rule-runner.ts';
