export {
  type Analysis,
  type AnalysisOptions,
  type AnalysisParts,
  analyzePolicies,
  analyzePolicy,
  type TextAnalysis,
} from './analyze-policy.ts';
export { durationSeconds } from './config/duration-text.ts';
export { canonicalHeaderName } from './config/header-name.ts';
export { type DetectedProfile, detectProfile } from './detect-profile.ts';
export {
  type DocumentNode,
  entryOf,
  type ListNode,
  type MapEntryNode,
  type MapNode,
  type PlainValue,
  plainValue,
  type ScalarNode,
  type ScalarStyle,
} from './document/document-node.ts';
export { contentRange, documentRange, type MappedText, type Piece } from './document/mapped-text.ts';
export { type PartPath, parsePartPath } from './document/select-part.ts';
export { type EdgeDocument, type EdgePolicy, readEdgeDocument } from './edge/edge-document.ts';
export {
  type CheckedExpression,
  checkCondition,
  checkExpression,
  type ExpressionContext,
} from './expression/check-expression.ts';
export { createExpressionCache, createRepeatCache, type ExpressionCache } from './expression/expression-cache.ts';
export { expressionSource, findInterpolations, type Interpolations } from './expression/interpolation.ts';
export { createPhaseEnvironments, type PhaseEnvironments } from './expression/place-environment.ts';
export { EXTENSION_FIELDS } from './extension/extension-shape.ts';
export { LINT_PRESETS } from './extension/lint-shape.ts';
export { PROJECT_FIELDS } from './extension/project-shape.ts';
export {
  extensionFaults,
  type PlacedReading,
  type Project,
  type ProjectOverride,
  rangeAt,
  readExtension,
  readProject,
  readSettings,
  type SettingsReading,
} from './extension/read-extension.ts';
export { type Fault, shapeFaults } from './extension/shape-faults.ts';
export { type FormatOptions, type FormattedPolicy, formatPolicy } from './format/format-policy.ts';
export { applyEdits } from './migrate/apply-edits.ts';
export { editScalar, replaceScalar } from './migrate/edit-scalar.ts';
export { type Migration, type MigrationOptions, migratePolicy } from './migrate/migrate-policy.ts';
export { removeEntries, removeItems } from './migrate/remove-node.ts';
export type { Action, EmbeddedExpression, Expression, Policy, Rule, Written } from './model/policy.ts';
export type { RuleReading } from './model/read-policy.ts';
export { reanalyzePolicy } from './reanalyze-policy.ts';
export { newError, readingDifference } from './rewrite/reading-difference.ts';
export type { JsonSchema } from './schema/json-schema.ts';
export { policySchema } from './schema/policy-schema.ts';
export { extensionSchema, projectSchema, testsSchema } from './schema/settings-schema.ts';
export { findTestedRule } from './testing/find-tested-rule.ts';
export type {
  Expectation,
  PolicyTest,
  PolicyTests,
  TestConnection,
  TestHeaders,
  TestMessage,
  TestMoment,
  TestRequest,
  TestResponse,
  WrittenExchange,
} from './testing/policy-tests.ts';
export { readExchange, readTests } from './testing/read-tests.ts';
export { OUTCOMES, RULE_STATUSES, TESTS_FIELDS } from './testing/tests-shape.ts';
export { findWithRe2 } from './url/find-with-re2.ts';
export { type FindMatches, type PatternMatch, replaceAll } from './url/replace-all.ts';
