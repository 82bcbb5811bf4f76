export { type BypassReport, jsonBypasses, textBypasses } from './bypass.ts';
export { type CodePage, describeRule } from './code-page.ts';
export { type DescribedPolicy, jsonDescriptions, markdownDescriptions, textDescriptions } from './describe.ts';
export { type DiffReport, jsonDiff, markdownDiff, rulesText, ruleText, textDiff } from './diff.ts';
export {
  type ExampleFinding,
  exampleFindings,
  fullText,
  markdownPage,
  pageIn,
  pageStatus,
  terminalPage,
} from './explain.ts';
export {
  type CoveredGoal,
  countGoals,
  isBelow,
  jsonCoverage,
  type PolicyCoverage,
  percentOf,
  textCoverage,
} from './goals/coverage-result.ts';
export { lcovCoverage } from './goals/lcov.ts';
export {
  countMutants,
  isBelowScore,
  jsonMutants,
  type PolicyMutants,
  type ReportedMutant,
  scoreOf,
  textMutants,
} from './goals/mutation-result.ts';
export {
  type AllowedCount,
  checkLimits,
  type ImpactLimits,
  type ImpactResult,
  textImpact,
} from './impact/impact-result.ts';
export {
  countProofs,
  jsonProof,
  nameRange,
  type PlacedInvariant,
  proveInvariants,
  type ReportedProofs,
  textProof,
} from './proof.ts';
export {
  csvReplay,
  DECISION_HEAD,
  decisionLine,
  decisionRow,
  type RuleNames,
  ruleNames,
} from './replay/decision-lines.ts';
export { becomesText, formatOutcome } from './replay/outcome-text.ts';
export {
  type EngineName,
  fieldsOption,
  isTableEngine,
  type ReplayResult,
  ruleLabel,
  type UnreadFile,
  unreadNotes,
} from './replay/replay-result.ts';
export { neededInputs, textRequirements } from './replay/requirements.ts';
export { textReplay } from './replay/text-replay.ts';
export { countTests, type ReportedTests, type TestContext, testCases, textTests } from './tests.ts';
export { formatBounds, formatCount, pluralize } from './text/figures.ts';
export type { JsonMember } from './text/json.ts';
export { type Cell, tableText, wrapText } from './text/layout.ts';
export { textExpression } from './trace/draw-expression.ts';
export { decidingTrace, isConnectionEndpoint, textRule, textTrace } from './trace/text-trace.ts';
export type { RuleView, TraceReport } from './trace/trace-view.ts';
export { buildView, ruleTitle } from './trace/trace-view.ts';
