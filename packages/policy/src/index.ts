export {
  type Analysis,
  type AnalysisOptions,
  type AnalysisParts,
  analyzePolicies,
  analyzePolicy,
  type TextAnalysis,
} from './analysis/analyze-policy.ts';
export { type DetectedProfile, detectProfile } from './analysis/detect-profile.ts';
export { ruleAt } from './analysis/placed-rule.ts';
export { reanalyzePolicy } from './analysis/reanalyze-policy.ts';
export { reanalyzeWhileTyping } from './analysis/reanalyze-while-typing.ts';
export { partAddress } from './carriers/documents/find-in-document.ts';
export {
  type CarrierSettings,
  findPolicies,
  isCertainPolicy,
  isMarkdown,
  wholePolicy,
} from './carriers/find-policies.ts';
export { policyAt } from './carriers/locate-policy.ts';
export type { CarrierKind, EmbeddedPolicy, TextLayer, TextStyle } from './carriers/model/embedded-policy.ts';
export { findingsInFile, withoutPlaceholders } from './carriers/model/findings-in-file.ts';
export {
  diagnosticInFile,
  editsInFile,
  offsetInPolicy,
  rangeInFile,
  replacementInFile,
} from './carriers/model/map-to-file.ts';
export { TEMPLATE_KINDS, type TemplateKind } from './carriers/placeholders/mask-template.ts';
export { hasStandIns, STAND_IN_VARIABLE } from './carriers/placeholders/stand-in.ts';
export type { PolicyPath } from './carriers/recognition/places.ts';
export { type RewrittenFile, rewriteInFile } from './carriers/rewrite-file.ts';
export { durationSeconds } from './config/duration.ts';
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
} from './document/model/document-node.ts';
export { contentRange, documentRange, type MappedText, type Piece } from './document/model/mapped-text.ts';
export { type PartPath, parsePartPath } from './document/model/select-part.ts';
export { parseDocuments } from './document/read-document.ts';
export { readPlain } from './document/read-plain.ts';
export { oneLineString } from './document/scalars/scalar-style.ts';
export { type EdgeDocument, type EdgePolicy, readEdgeDocument } from './edge/edge-document.ts';
export { applyEdits } from './edits/apply-edits.ts';
export { editScalar, replaceScalar } from './edits/edit-scalar.ts';
export { removeEntries, removeItems } from './edits/remove-node.ts';
export { updateJson } from './edits/update-json.ts';
export { updateYaml } from './edits/update-yaml.ts';
export {
  type CheckedExpression,
  checkCondition,
  checkExpression,
  type ExpressionContext,
} from './expression/check-expression.ts';
export { createExpressionCache, createRepeatCache, type ExpressionCache } from './expression/expression-cache.ts';
export { canonicalHeaderName } from './expression/header-name.ts';
export { expressionSource, findInterpolations, type Interpolations } from './expression/interpolation.ts';
export { createPhaseEnvironments, type PhaseEnvironments } from './expression/phase-environment.ts';
export { parseType } from './expression/type-notation.ts';
export { type FormatOptions, type FormattedPolicy, formatPolicy } from './format/format-policy.ts';
export { newError, readingDifference } from './format/reading-difference.ts';
export { findWithRe2 } from './functions/find-with-re2.ts';
export { type FindMatches, type PatternMatch, replaceAll } from './functions/replace-all.ts';
export type { Claim, Invariant } from './invariants/claim.ts';
export { DECISION_VARIABLES, invariantContext } from './invariants/decision-facts.ts';
export {
  type CheckedInvariant,
  checkInvariant,
  type InvariantLocation,
  type InvariantTarget,
  readInvariants,
} from './invariants/read-invariants.ts';
export { type Migration, type MigrationOptions, migratePolicy } from './migrate/migrate-policy.ts';
export { type SharedVariables, sharedVariables } from './migrate/shared-variables.ts';
export type { Action, EmbeddedExpression, Expression, Policy, Rule, Written } from './model/policy.ts';
export { NO_RULES, type RuleWithDiagnostics } from './policy-reader/read-policy.ts';
export { shiftDiagnostic } from './policy-reader/shift-rule.ts';
export type { JsonSchema } from './schema/json-schema.ts';
export { policySchema } from './schema/policy-schema.ts';
export { extensionSchema, invariantsSchema, projectSchema, testsSchema } from './schema/settings-schema.ts';
export { EXTENSION_FIELDS } from './settings/extension-shape.ts';
export type { Invariants, WrittenInvariant } from './settings/invariants.ts';
export { INVARIANTS_FIELDS } from './settings/invariants-shape.ts';
export { LINT_PRESETS } from './settings/lint-shape.ts';
export { PROJECT_FIELDS } from './settings/project-shape.ts';
export type {
  AddressSettings,
  EnvironmentSettings,
  GateSettings,
  PublishSettings,
  RouteSettings,
  SecretSource,
  TargetSettings,
} from './settings/publish-settings.ts';
export {
  extensionFaults,
  type ParsedSettings,
  type Project,
  type ProjectCarrier,
  type ProjectInvariant,
  type ProjectOverride,
  rangeAt,
  readExtension,
  readProject,
  readSettings,
  type SettingsResult,
} from './settings/read-settings.ts';
export { type Fault, shapeFaults } from './settings/shape-faults.ts';
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
