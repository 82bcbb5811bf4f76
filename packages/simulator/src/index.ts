export type { ActionResult, ActionTrace, Decision, RuleEffect, RuleResult, UpstreamTrace } from './decide/decision.ts';
export { loggedBy } from './decide/decision.ts';
export { createSimulation, type Simulation, type SimulationOptions, type SimulationRun } from './decide/simulation.ts';
export type { DecisionTrace } from './decide/trace-rules.ts';
export type {
  Assumptions,
  Known,
  NamedValues,
  RequestState,
  ResponseState,
  TrafficState,
} from './decide/traffic-state.ts';
export type { Ending, Note, Outcome, OutcomeKind } from './effects/effect.ts';
export type { HeaderMap, HeaderValues } from './message/header-map.ts';
export type { Interval, Occurrence } from './replay/counter.ts';
export { type ReplayOptions, replay } from './replay/replay.ts';
export type {
  FileFailure,
  FileSummary,
  OutcomeSummary,
  ReplaySummary,
  RuleSummary,
  SkippedSummary,
} from './replay/summary.ts';
