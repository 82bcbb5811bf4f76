export { SIGNATURE_HEADERS, TOKEN_KEYS } from './actions/authentication.ts';
export { type Ending, hasResponse, type Note, type Outcome, type OutcomeKind, SIDES } from './actions/effect.ts';
export {
  plausibleToken,
  type TokenCheck,
  tokenCheckOf,
  type Unvalidated,
  unvalidatedTokens,
} from './actions/live-tokens.ts';
export { LIVE_EFFECTS, mayBeAssumed } from './actions/registry.ts';
export { REQUEST_BODY, signatureHeadersOf, VERIFIED_PROVIDERS } from './actions/webhook-signatures.ts';
export {
  type ActionParts,
  type PhaseParts,
  policyParts,
  type RuleParts,
} from './compiled/policy-parts.ts';
export type { ConjunctSources } from './conditions/condition-columns.ts';
export {
  beginEdgeRun,
  type EdgeDecision,
  type EdgeRun,
  type EdgeTrace,
  type EdgeVerdict,
  type RoutePolicies,
  traceEdge,
} from './edge/edge-simulation.ts';
export { type ReadEdgeResult, readEdge } from './edge/read-edge.ts';
export type { Edge, HeaderModule, Route, RouteModules } from './edge/routes.ts';
export { type RouteMatch, type RouteRequest, type RouteVerdict, routeMatches } from './edge/routes.ts';
export { dialectOf, isUnclearInput } from './exchange-state/dialect.ts';
export { type HeaderMap, type HeaderValues, headerValues } from './exchange-state/headers.ts';
export { urlUnder } from './exchange-state/recorded-state.ts';
export type {
  Assumptions,
  Known,
  NamedValues,
  RequestState,
  ResponseState,
  TrafficState,
} from './exchange-state/traffic-state.ts';
export type { Truth } from './goals/boolean-tree.ts';
export { type Coverage, prepareCoverage } from './goals/collector.ts';
export { GOAL_GROUPS, type Goal, type GoalKind, interpolationsOf, type RuleGoals } from './goals/goals.ts';
export { MAX_BUCKETS, type TimeData, WIDTHS } from './replay/breakdown-tally.ts';
export type { Interval, Occurrence, StatusChange } from './replay/counter.ts';
export { type KeyCount, MAX_KEY_LENGTH } from './replay/frequent-keys.ts';
export { type CountedBreakdown, type CountedGroup, GroupTally } from './replay/group-tally.ts';
export {
  type ChangedExample,
  type ComparedPolicy,
  type ComparedVerdicts,
  changeOf,
  comparerOf,
  decidingRules,
  type Guard,
  type ImpactDimension,
  type ImpactFigures,
  type ImpactKeys,
  type ImpactOptions,
  type ImpactSummary,
  ImpactTally,
  impact,
  type RuleChange,
  type Transition,
} from './replay/impact.ts';
export { listedKey } from './replay/key-breakdown.ts';
export { PolicyTally, type PolicyTallyOptions } from './replay/policy-tally.ts';
export type { Decided, ReplayWatch } from './replay/replay.ts';
export {
  dependsOnOrder,
  type EdgeToReplay,
  edgeDependsOnOrder,
  type ReplayOptions,
  replay,
  replayEdge,
} from './replay/replay.ts';
export type { SelectionSummary, TrafficSelection } from './replay/select-exchanges.ts';
export { isInShare, NumberedSample, type Sample } from './replay/select-exchanges.ts';
export type {
  BreakdownOptions,
  BreakdownSummary,
  EdgeReplaySummary,
  FileFailure,
  FileSummary,
  KeyDimension,
  KeySummary,
  OutcomeBreakdown,
  OutcomeSummary,
  PolicySummary,
  ReplaySummary,
  RouteSummary,
  RuleBreakdown,
  RuleSummary,
  SkippedSummary,
  TimeSummary,
  TrafficSummary,
} from './replay/summary.ts';
export { type History, historyOf } from './replay/time-order.ts';
export {
  type ConditionScope,
  type DecisionCondition,
  type DecisionValue,
  type DecisionValuesOf,
  type DecisionVariables,
  decisionValuesOf,
  type ReadCondition,
  readDecisionCondition,
  readTrafficCondition,
  type TrafficCondition,
} from './replay/traffic-condition.ts';
export { policyRequirements, type RuleRequirements, recordedFieldsOf } from './requirements.ts';
export type {
  ActionResult,
  ActionTrace,
  Decision,
  RuleEffect,
  RuleResult,
  UpstreamTrace,
} from './simulation/decision.ts';
export {
  type ClientStatus,
  type HitResult,
  isDenial,
  loggedBy,
  type Reach,
  type RuleHit,
  type Verdict,
  verdictOf,
  verdictsIn,
} from './simulation/decision.ts';
export {
  type ComparedSide,
  DECISION_PARTS,
  type DecisionChange,
  DecisionComparer,
  type DecisionPart,
  DecisionTexts,
} from './simulation/same-decision.ts';
export type { ModuleActions } from './simulation/simulation.ts';
export {
  createSimulation,
  type Judged,
  type Simulation,
  type SimulationOptions,
  type SimulationRun,
  type StartedDecision,
} from './simulation/simulation.ts';
export type { DecisionTrace, FilledExpression, TracedExpression } from './simulation/tracing.ts';
export type { LeafCombination, Leaves } from './simulation/verdict-cache.ts';
export { checkDecision, type Mismatch } from './testing/check-decision.ts';
export { expectationOf } from './testing/expectation.ts';
export type { RuleCoverage, SimulationOf, TestResult, TestRun, TestStatus } from './testing/run-tests.ts';
export {
  conditionIn,
  coverageByTests,
  type ObservedTest,
  observeTests,
  runTests,
  simulationsOf,
  traceTest,
} from './testing/run-tests.ts';
export { testExchange } from './testing/test-exchange.ts';
export { reduceExchange, writtenExchange } from './testing/written-exchange.ts';
export { type ActivationPlan, activationCode, isPlannedValue, type PlannedValue } from './variables/activation.ts';
export { type ExchangeExpression, exchangeExpression } from './variables/expression.ts';
export { isTlsVersion, variableSource } from './variables/variable-readers.ts';
