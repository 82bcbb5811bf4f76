export { CODES_BY_ID, LOWERABLE } from './config/analysis-codes.ts';
export { type KnownIds, knownIds } from './config/known-ids.ts';
export type {
  JoinedSettings,
  LintSettings,
  RuleSetting,
  RuleSettings,
  SettingsOverride,
} from './config/lint-settings.ts';
export { mayReport } from './config/may-report.ts';
export { readLintSettings, rulesFaults } from './config/read-lint-settings.ts';
export { type ResolvedRules, resolveRules } from './config/resolve-rules.ts';
export { ruleFaults } from './config/rule-faults.ts';
export type { Comparator, Comparison } from './facts/comparisons.ts';
export type { ExpressionFacts } from './facts/expression-facts.ts';
export type { HeaderRead } from './facts/header-reads.ts';
export { literalText, variablePath } from './facts/variable-path.ts';
export { type FixedText, type FixOptions, fixText } from './fix/fix-text.ts';
export {
  createLinter,
  type Linter,
  type LinterOptions,
  type LintResult,
  type LintTestsOptions,
  type LintTextOptions,
  lintTests,
  lintText,
} from './lint-text.ts';
export { lintWorkspace, type Summaries } from './lint-workspace.ts';
export type { ActionPlace, ConfigText } from './rule/config-text.ts';
export type { LintContext, LintedFile, LintFinding } from './rule/lint-context.ts';
export {
  type Category,
  categoryOf,
  type FileSummary,
  type LintExample,
  type LintRule,
  type Preset,
  type WorkspaceCheck,
  type WorkspaceFinding,
} from './rule/lint-rule.ts';
export { editsOf, type LintedExpression, placeOf, sourceOf } from './rule/linted-expression.ts';
export type { LintedTests, RuleCoverage } from './rule/linted-tests.ts';
export type { CallVisitor, NodeVisitor, Visitor } from './rule/visitor.ts';
export { LINT_RULES } from './rules/lint-rules.ts';
export type { MalformedSuppression, Suppression, SuppressionReport, UsedSuppression } from './suppress/suppression.ts';
export { lintExample, lintedText } from './testing/lint-example.ts';
export { unmark } from './testing/marked-text.ts';
export { type ActiveRule, activate } from './walk/active-rule.ts';
export type { Fence, Fenced } from './walk/fence.ts';
export type { RuleFailure } from './walk/rule-failure.ts';
export type { RuleOutcome } from './walk/rule-runner.ts';
