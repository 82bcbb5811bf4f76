export type { ActionResult, Decision, RuleEffect, RuleResult } from './decide/decision.ts';
export { createSimulation, type Simulation, type SimulationOptions } from './decide/simulation.ts';
export type { Assumptions, Known, RequestState, ResponseState, TrafficState } from './decide/traffic-state.ts';
export type { Outcome, OutcomeKind } from './effects/effect.ts';
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
