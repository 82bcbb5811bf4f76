export {
  type Analysis,
  type AnalysisOptions,
  type AnalysisParts,
  analyzePolicies,
  analyzePolicy,
  ruleAt,
  type TextAnalysis,
} from './analysis/analyze-policy.ts';
export { type DetectedProfile, detectProfile } from './analysis/detect-profile.ts';
export { type EdgeDocument, type EdgePolicy, readEdgeDocument } from './analysis/edge-document.ts';
export { reanalyzePolicy, reanalyzeWhileTyping } from './analysis/reanalyze-policy.ts';
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
export {
  applyEdits,
  editScalar,
  removeEntries,
  removeItems,
  replaceScalar,
  updateJson,
  updateYaml,
} from './document/edits.ts';
export { parseDocuments, readPlain } from './document/read-document.ts';
export { contentRange, documentRange, type MappedText, oneLineString, type Piece } from './document/scalar-text.ts';
export { type PartPath, parsePartPath } from './document/select-part.ts';
export type { EmbeddedPolicy, EmbeddingFormat, TextLayer, TextStyle } from './embedded/embedded-policy.ts';
export {
  diagnosticInFile,
  editsInFile,
  encodedInFile,
  findingsInFile,
  offsetInPolicy,
  rangeInFile,
  replacementInFile,
  withoutPlaceholders,
} from './embedded/embedded-policy.ts';
export { partAddress } from './embedded/find-in-document.ts';
export {
  type EmbeddedSettings,
  findPolicies,
  isCertainPolicy,
  isEmbeddingFormat,
  isMarkdown,
  isMeantAsPolicy,
  policyAt,
  type RewrittenFile,
  rewriteInFile,
  wholePolicy,
} from './embedded/find-policies.ts';
export { hasStandIns, STAND_IN_VARIABLE, TEMPLATE_KINDS, type TemplateKind } from './embedded/placeholders.ts';
export type { PolicyPath } from './embedded/recognition.ts';
export {
  type CheckedExpression,
  checkCondition,
  checkExpression,
  type ExpressionContext,
} from './expressions/check-expression.ts';
export { canonicalHeaderName, parseType } from './expressions/explain-errors.ts';
export { createExpressionCache, createRepeatCache, type ExpressionCache } from './expressions/expression-cache.ts';
export {
  type FindMatches,
  findPattern,
  findPlain,
  findWithRe2,
  findWithRegExp,
  IMPLEMENTATIONS,
  opaqueResult,
  type PatternMatch,
  replaceAll,
  searchPlan,
} from './expressions/functions.ts';
export { expressionSource, findInterpolations, type Interpolations } from './expressions/interpolation.ts';
export { createPhaseEnvironments, type PhaseEnvironments } from './expressions/phase-environment.ts';
export { type FormatOptions, type FormattedPolicy, formatPolicy } from './format/format-policy.ts';
export { newError, readingDifference } from './format/reading-difference.ts';
export {
  type Migration,
  type MigrationOptions,
  migratePolicy,
  type SharedVariables,
  sharedVariables,
} from './migrate/migrate-policy.ts';
export type { Claim, Invariant } from './project/invariants.ts';
export {
  type CheckedInvariant,
  checkInvariant,
  DECISION_VARIABLES,
  type InvariantLocation,
  type InvariantTarget,
  invariantContext,
  readInvariants,
} from './project/invariants.ts';
export type { JsonSchema } from './project/json-schemas.ts';
export { extensionSchema, invariantsSchema, policySchema, projectSchema, testsSchema } from './project/json-schemas.ts';
export type {
  ActionAssumptions,
  AssumedResults,
  EarlierExchange,
  Expectation,
  PolicyTest,
  PolicyTests,
  TestConnection,
  TestHeaders,
  TestLocation,
  TestMessage,
  TestMoment,
  TestRequest,
  TestResponse,
  WrittenExchange,
  WrittenFixtures,
  WrittenTests,
} from './project/policy-tests.ts';
export { findTestedRule, OUTCOMES, RULE_STATUSES } from './project/policy-tests.ts';
export type {
  AddressSettings,
  EnvironmentSettings,
  GateSettings,
  Invariants,
  PublishSettings,
  RouteSettings,
  SecretSource,
  TargetSettings,
  WrittenInvariant,
} from './project/read-settings.ts';
export {
  type EmbeddedLocation,
  extensionFaults,
  type ParsedSettings,
  type Project,
  type ProjectInvariant,
  type ProjectOverride,
  rangeAt,
  readExtension,
  readProject,
  readSettings,
  type SettingsResult,
} from './project/read-settings.ts';
export {
  isTestUrl,
  parseTests,
  type ReadTestFile,
  readExchange,
  readTestFile,
  readTests,
  type TestFiles,
  testsIn,
} from './project/read-tests.ts';
export { type Fault, shapeFaults } from './project/shape-faults.ts';
export { EXTENSION_FIELDS, INVARIANTS_FIELDS, LINT_PRESETS, PROJECT_FIELDS } from './project/shapes.ts';
export { TESTS_FIELDS } from './project/test-fields.ts';
export { addTests, type TestToWrite, testsText, testText } from './project/write-tests.ts';
export { durationSeconds } from './rules/check-string.ts';
export type { Action, EmbeddedExpression, Expression, Policy, Rule, Written } from './rules/policy.ts';
export { NO_RULES, type RuleWithDiagnostics, shiftDiagnostic } from './rules/read-policy.ts';
