export { type ApplyOptions, applyPlan } from './apply/apply-plan.ts';
export type { ApplyOutcome, ModuleOutcome, ModuleState, TargetOutcome, TargetState } from './apply/outcome.ts';
export type { RunStamp } from './apply/share-run.ts';
export type {
  BeginEntry,
  EndEntry,
  IntentEntry,
  JournalEntry,
  JournalWriter,
  OutcomeEntry,
  RunOutcome,
} from './journal/entry.ts';
export { openIntents, type Run, type RunModule, runsIn } from './journal/history.ts';
export { type JournalReadResult, readJournal } from './journal/read-journal.ts';
export { type RecordRun, readState } from './journal/record-state.ts';
export { type Canonical, type CanonicalRule, canonicalModule, phasesOf } from './model/canonical.ts';
export { canonicalText, isObject, isSame, type Json, type JsonObject } from './model/json.ts';
export { createKeyed, type Keyed } from './model/keyed.ts';
export {
  MODULE_NOUNS,
  MODULES,
  type ModuleName,
  RECORD_KINDS,
  type RecordKind,
  type RecordRef,
  recordKey,
} from './model/record.ts';
export { maskModule, maskSealed, sealModule, secretsIn, unsealModule } from './model/secrets.ts';
export { wireModule } from './model/wire.ts';
export { type Change, moduleChanges, type RuleChange, type ValueChange } from './plan/difference.ts';
export { createLocator, type LiveEdges, type LiveRecord, type Located } from './plan/live.ts';
export {
  type ErasedRule,
  type Erasure,
  type Plan,
  type PlanContext,
  type PlanFault,
  type PlannedModule,
  type PlannedTarget,
  planTarget,
} from './plan/plan.ts';
export { type AheadPlanner, createAheadPlanner } from './plan/plan-ahead.ts';
export { planText, readPlan, type StoredPlan, type StoredTarget, staleness, storedTarget } from './plan/plan-file.ts';
export {
  type FormerPolicies,
  planRestoration,
  type Restoration,
  type RestorationContext,
} from './plan/restoration.ts';
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
} from './plan/standing.ts';
export { describeAddress, type Target, type TargetAddress, type WantedModule } from './plan/target.ts';
export { type ApiRemoteOptions, createApiRemote } from './remote/api-remote.ts';
export { createPacer, type Pacer, type Timing, type WaitReason } from './remote/pacer.ts';
export { type Confirmation, readConfirmed } from './remote/read-confirmed.ts';
export type {
  EdgeReader,
  ModuleWrite,
  ReadResult,
  Remote,
  RemoteFailure,
  SeenPage,
  TaggedRecord,
  WriteAnswer,
} from './remote/remote.ts';
