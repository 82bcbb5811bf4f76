export type {
  ActionResult,
  ActionTrace,
  Decision,
  RuleEffect,
  RuleResult,
  UpstreamTrace,
} from './decision/decision.ts';
export { loggedBy } from './decision/decision.ts';
export {
  type ComparedSide,
  DECISION_PARTS,
  type DecisionChange,
  DecisionComparer,
  type DecisionPart,
  DecisionTexts,
} from './decision/same-decision.ts';
export {
  type ClientStatus,
  type HitResult,
  isDenial,
  type Reach,
  type RuleHit,
  type Verdict,
  verdictOf,
} from './decision/verdict.ts';
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
export type { Edge, HeaderModule, Route, RouteModules } from './edge/route.ts';
export { type RouteMatch, type RouteRequest, type RouteVerdict, routeMatches } from './edge/select-route.ts';
export { type Ending, hasResponse, type Note, type Outcome, type OutcomeKind, SIDES } from './effects/model/effect.ts';
export type { LeafCombination, Leaves } from './judge/prepare-leaves.ts';
export { dialectOf } from './message/dialect.ts';
export { type HeaderMap, type HeaderValues, headerValues } from './message/header-map.ts';
export { isUnclearInput } from './message/unrecorded.ts';
export type { ConjunctSources } from './preparation/condition-column.ts';
export type { Interval, Occurrence } from './replay/counting/counter.ts';
export { type KeyCount, MAX_KEY_LENGTH } from './replay/counting/frequent-keys.ts';
export type { StatusChange } from './replay/counting/status-tally.ts';
export { MAX_BUCKETS, type TimeData, WIDTHS } from './replay/counting/time-tally.ts';
export { dependsOnOrder, edgeDependsOnOrder } from './replay/depends-on-order.ts';
export {
  type ComparedPolicy,
  changeOf,
  comparerOf,
  decidingRules,
  type ImpactOptions,
  type ImpactSummary,
  impact,
} from './replay/impact/impact.ts';
export {
  type ComparedVerdicts,
  type Guard,
  type ImpactDimension,
  type ImpactFigures,
  type ImpactKeys,
  ImpactTally,
  type RuleChange,
  type Transition,
} from './replay/impact/impact-tally.ts';
export { listedKey } from './replay/keys/key-dimensions.ts';
export { type History, historyOf } from './replay/order/history.ts';
export { type ReplayOptions, replay } from './replay/replay.ts';
export { type EdgeToReplay, replayEdge } from './replay/replay-edge.ts';
export type {
  BreakdownOptions,
  BreakdownSummary,
  KeyDimension,
  KeySummary,
  OutcomeBreakdown,
  RuleBreakdown,
  TimeSummary,
} from './replay/summary/breakdown.ts';
export type {
  EdgeReplaySummary,
  FileFailure,
  FileSummary,
  OutcomeSummary,
  PolicySummary,
  ReplaySummary,
  RouteSummary,
  RuleSummary,
  SkippedSummary,
  TrafficSummary,
} from './replay/summary/summary.ts';
export { type CountedBreakdown, type CountedGroup, GroupTally } from './replay/tallies/group-tally.ts';
export { PolicyTally, type PolicyTallyOptions } from './replay/tallies/policy-tally.ts';
export type { Decided, ReplayWatch } from './replay/watch.ts';
export { policyRequirements, type RuleRequirements } from './requirements/policy-requirements.ts';
export { recordedFieldsOf } from './requirements/recorded-fields.ts';
export { type DecisionValuesOf, decisionValuesOf } from './selection/decision-value.ts';
export { isInShare, NumberedSample, type Sample } from './selection/sample.ts';
export type { SelectionSummary, TrafficSelection } from './selection/select-exchanges.ts';
export {
  type ConditionScope,
  type DecisionVariables,
  type ReadCondition,
  readTrafficCondition,
  type TrafficCondition,
} from './selection/traffic-condition.ts';
export { type ExchangeExpression, exchangeExpression } from './simulation/exchange-expression.ts';
export type { ModuleActions } from './simulation/module-actions.ts';
export {
  createSimulation,
  type Judged,
  type Simulation,
  type SimulationOptions,
  type SimulationRun,
} from './simulation/simulation.ts';
export type { DecisionTrace, FilledExpression, TracedExpression } from './simulation/trace-rules.ts';
export { urlUnder } from './state/recorded-state.ts';
export type {
  Assumptions,
  Known,
  NamedValues,
  RequestState,
  ResponseState,
  TrafficState,
} from './state/traffic-state.ts';
export { runTests } from './testing/run-tests.ts';
export { testExchange } from './testing/test-exchange.ts';
export type { Mismatch, RuleCoverage, TestResult, TestRun, TestStatus } from './testing/test-result.ts';
