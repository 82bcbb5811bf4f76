export { fixText } from './engine/fix-text.ts';
export { CODES_BY_ID, knownIds, LOWERABLE } from './engine/known-ids.ts';
export { lintExample, lintedText, unmark } from './engine/lint-example.ts';
export {
  createLinter,
  type Linter,
  type LintTestsOptions,
  type LintTextOptions,
  lintTests,
  lintText,
  mayReport,
} from './engine/lint-text.ts';
export { lintWorkspace, type Summaries } from './engine/lint-workspace.ts';
export { readLintSettings, ruleSettingsFaults } from './engine/read-lint-settings.ts';
export type { JoinedSettings, LintSettings, RuleSettings } from './engine/resolve-rules.ts';
export { type ActiveRule, activate, resolveRules } from './engine/resolve-rules.ts';
export { ruleFaults } from './engine/rule-faults.ts';
export type { RuleFailure } from './engine/rule-run.ts';
export type { RuleOutcome, RunWithTimeout, Timed } from './engine/rule-runner.ts';
export type { ExpressionAnalysis } from './readers/expression-analysis.ts';
export { HTTP_METHODS } from './readers/http-names.ts';
export { literalString, variablePath } from './readers/source-nodes.ts';
export type {
  ActionLocation,
  ConfigString,
  FileAnalysis,
  LintContext,
  LintedFile,
  LintedTests,
  LintFinding,
  RuleCoverage,
  Suppression,
  SuppressionReport,
} from './rule-api/lint-context.ts';
export type { CallVisitor, NodeVisitor, Visitor } from './rule-api/lint-rule.ts';
export {
  categoryOf,
  type FileSummary,
  type LintExample,
  type LintRule,
} from './rule-api/lint-rule.ts';
export { editsOf, type LintedExpression, rangeInDocument, sourceOf } from './rule-api/linted-expression.ts';
export { COUNTRY_CODES } from './rules/geo/countries.ts';
export { LINT_RULES } from './rules/lint-rules.ts';
