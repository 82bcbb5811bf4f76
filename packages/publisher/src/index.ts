export { type ApiRemoteOptions, createApiRemote } from './api-remote.ts';
export type { RunStamp } from './apply.ts';
export { type ApplyOptions, applyPlan } from './apply.ts';
export { moduleChanges, type PolicyChange as Change, type RuleChange, type ValueChange } from './difference.ts';
export type {
  BeginEntry,
  EndEntry,
  IntentEntry,
  JournalEntry,
  JournalWriter,
  OutcomeEntry,
  RunOutcome,
} from './journal.ts';
export { type JournalReadResult, openIntents, type Run, type RunModule, readJournal, runsIn } from './journal.ts';
export { canonicalText, createKeyed, isObject, isSame, type Json, type JsonObject, type Keyed } from './json.ts';
export {
  createLocator,
  describeAddress,
  type LiveEdges,
  type LiveRecord,
  type Located,
  type Target,
  type TargetAddress,
  type WantedModule,
} from './live.ts';
export {
  type Canonical,
  type CanonicalRule,
  canonicalModule,
  MODULE_NOUNS,
  MODULES,
  type ModuleName,
  phasesOf,
  RECORD_KINDS,
  type RecordKind,
  type RecordRef,
  recordKey,
  wireModule,
} from './module.ts';
export {
  type AheadPlanner,
  createAheadPlanner,
  type ErasedRule,
  type Erasure,
  type FormerPolicies,
  type Plan,
  type PlanContext,
  type PlanFault,
  type PlannedModule,
  type PlannedTarget,
  planRestoration,
  planTarget,
  planText,
  type Restoration,
  type RestorationContext,
  readPlan,
  type StoredPlan,
  type StoredTarget,
  staleness,
  storedTarget,
} from './plan.ts';
export { type RecordRun, readState } from './record-state.ts';
export type {
  EdgeReader,
  ModuleWrite,
  ReadResult,
  Remote,
  RemoteFailure,
  SeenPage,
  TaggedRecord,
  WriteAnswer,
} from './remote.ts';
export { type Confirmation, createPacer, type Pacer, readConfirmed, type Timing, type WaitReason } from './remote.ts';
export { maskModule, maskSealed, sealModule, secretsIn, unsealModule } from './secrets.ts';
export {
  createHistories,
  isDoubtful,
  type LastApplied,
  lastApplied,
  newestStanding,
  nextSequence,
  type RecordHistory,
  type Standing,
  standingRun,
} from './standing.ts';
export type { ApplyOutcome, ModuleOutcome, ModuleState, TargetOutcome, TargetState } from './write-and-verify.ts';
