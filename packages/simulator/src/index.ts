export type { ActionResult, ActionTrace, Decision, RuleEffect, RuleResult, UpstreamTrace } from './decide/decision.ts';
export { loggedBy } from './decide/decision.ts';
export {
  createSimulation,
  type Simulation,
  type SimulationOptions,
  type SimulationRun,
  type TraceRun,
} from './decide/simulation.ts';
export type { DecisionTrace, FilledExpression, TracedExpression } from './decide/trace-rules.ts';
export type {
  Assumptions,
  Known,
  NamedValues,
  RequestState,
  ResponseState,
  TrafficState,
} from './decide/traffic-state.ts';
export { type ClientStatus, type HitResult, type RuleHit, type Verdict, verdictOf } from './decide/verdict.ts';
export {
  beginEdgeRun,
  beginEdgeTrace,
  type EdgeDecision,
  type EdgeRun,
  type EdgeTrace,
  type EdgeTraceRun,
  type EdgeVerdict,
  type RoutePolicies,
  traceEdge,
} from './edge/edge-simulation.ts';
export type { ModuleActions } from './edge/module-actions.ts';
export { type EdgeReading, readEdge } from './edge/read-edge.ts';
export type { Edge, HeaderModule, Route, RouteModules } from './edge/route.ts';
export { createRouter, type RouteRequest, type Router, type RouteVerdict } from './edge/select-route.ts';
export type { Ending, Note, Outcome, OutcomeKind } from './effects/effect.ts';
export { type HeaderMap, type HeaderValues, headerValues } from './message/header-map.ts';
export type {
  BreakdownOptions,
  BreakdownSummary,
  KeyDimension,
  KeySummary,
  RuleBreakdown,
  TimeSummary,
} from './replay/breakdown.ts';
export type { Interval, Occurrence } from './replay/counter.ts';
export type { KeyCount } from './replay/frequent-keys.ts';
export { edgeHangsOnOrder, hangsOnOrder } from './replay/hangs-on-order.ts';
export { type History, historyOf } from './replay/history.ts';
export { PolicyTally, type PolicyTallyData, type PolicyTallyOptions } from './replay/policy-tally.ts';
export {
  mergeParts,
  type PartData,
  type PartMerge,
  prepareParts,
  type ReplayOptions,
  type ReplayPart,
  replay,
} from './replay/replay.ts';
export { type EdgeToReplay, replayEdge } from './replay/replay-edge.ts';
export type { StatusChange } from './replay/status-tally.ts';
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
} from './replay/summary.ts';
export type { PlaceOf, Tally } from './replay/tally.ts';
export type { Decided, ReplayWatch } from './replay/watch.ts';
export { policyRequirements, type RuleRequirements } from './requirements/policy-requirements.ts';
export { recordedFieldsOf } from './requirements/recorded-fields.ts';
export { runTests } from './testing/run-tests.ts';
export { testExchange } from './testing/test-exchange.ts';
export type { Mismatch, RuleCoverage, TestResult, TestRun, TestStatus } from './testing/test-result.ts';
