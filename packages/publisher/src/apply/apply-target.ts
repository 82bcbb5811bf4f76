import { ExternalError } from '@tollgate/diagnostics';
import type { IntentEntry, JournalWriter, OutcomeEntry } from '../journal/entry.ts';
import type { Keyed } from '../model/keyed.ts';
import type { ModuleName } from '../model/record.ts';
import { sealModule } from '../model/secrets.ts';
import type { PlannedTarget } from '../plan/plan.ts';
import type { Remote } from '../remote/remote.ts';
import type { ModuleState, TargetOutcome, TargetState } from './outcome.ts';
import { look, type ModuleChange, type Settled, settleWrite } from './settle-write.ts';

/** What writing a target needs. */
export interface WriteContext {
  readonly remote: Remote;
  readonly journal: JournalWriter;
  readonly keyed: Keyed;
  readonly run: string;
}

/** A target whose modules are being changed. */
export interface TargetWrite {
  readonly planned: PlannedTarget;
  /** What each module that is to be changed holds, as far as known. */
  readonly holds: Map<ModuleName, ModuleState>;
  readonly outcome: TargetOutcome;
  /** A failure that ends the run, unlike a conflict. */
  readonly isFatal: boolean;
}

/** Writes the modules of one target in sequence, since they share an entity tag. If one cannot be written, restores those before it. */
export async function applyTarget(planned: PlannedTarget, context: WriteContext): Promise<TargetWrite> {
  const changes = changesOf(planned);
  const holds = new Map<ModuleName, ModuleState>(changes.map(({ module }) => [module, 'before']));
  for (const change of changes) {
    const seen = await look(context.remote, change);
    holds.set(change.module, seen.holds);
    if (seen.holds === 'unknown') return ended({ planned, holds }, 'unknown', seen.reason, true);
    if (seen.holds === 'foreign') return ended({ planned, holds }, 'conflict', seen.reason, false);
  }
  for (const change of changes) {
    const settled = await writeModule(change, planned, context);
    holds.set(change.module, settled.holds);
    if (settled.holds !== 'after') return await undo({ planned, holds }, settled, context);
  }
  return ended({ planned, holds }, 'written', undefined, false);
}

type Writing = Pick<TargetWrite, 'planned' | 'holds'>;

function ended(writing: Writing, state: TargetState, reason: string | undefined, isFatal: boolean): TargetWrite {
  const modules = [...writing.holds].map(([module, holds]) => ({ module, holds }));
  return { ...writing, outcome: { target: writing.planned.target.name, state, reason, modules }, isFatal };
}

function changesOf({ ref, modules }: PlannedTarget): readonly ModuleChange[] {
  const changed = modules.filter(({ changes }) => changes.length > 0);
  return changed.map(({ module, live, wanted }) => ({ ref, module, before: live, after: wanted }));
}

/** Announces the write in the journal, so that a crash leaves no doubt about what may have been written. */
async function writeModule(change: ModuleChange, planned: PlannedTarget, context: WriteContext): Promise<Settled> {
  const seen = await look(context.remote, change);
  if (seen.holds !== 'before') return { ...seen };
  const failure = await note(context, intentFor(change, planned, context));
  if (failure) return { holds: 'before', reason: failure.message };
  const settled = await settleWrite(context.remote, change, seen);
  await note(context, outcomeFor(change, planned, settled.holds, context));
  return settled;
}

/** Restores the modules that were written before one that could not be. */
async function undo(writing: Writing, { holds, reason }: Settled, context: WriteContext): Promise<TargetWrite> {
  const isConflict = holds === 'foreign';
  const restored = await restoreModules(writing, context);
  if (restored.outcome.state !== 'restored') {
    const { outcome } = restored;
    return { ...restored, outcome: { ...outcome, reason: outcome.reason ?? reason }, isFatal: !isConflict };
  }
  const isUntouched = [...writing.holds.values()].every(one => one === 'before' || one === 'foreign');
  const state = isConflict ? 'conflict' : isUntouched ? 'unchanged' : 'restored';
  return ended(writing, state, reason, !isConflict);
}

/** Restores the modules of a target that hold what the run wrote. Leaves alone what somebody else has changed since. */
export async function restoreTarget(write: TargetWrite, context: WriteContext): Promise<TargetWrite> {
  return await restoreModules(write, context);
}

async function restoreModules(writing: Writing, context: WriteContext): Promise<TargetWrite> {
  const { planned, holds } = writing;
  let reason: string | undefined;
  for (const change of changesOf(planned).toReversed()) {
    if (holds.get(change.module) !== 'after') continue;
    const settled = await restoreModule(change, planned, context);
    holds.set(change.module, settled.holds);
    if (settled.holds !== 'before') reason ??= settled.reason;
  }
  const left = [...holds.values()];
  if (left.includes('unknown')) return ended(writing, 'unknown', reason, true);
  if (left.includes('after') || reason !== undefined) return ended(writing, 'not restored', reason, true);
  return ended(writing, 'restored', undefined, true);
}

/** The result is with respect to the original change. */
async function restoreModule(change: ModuleChange, planned: PlannedTarget, context: WriteContext): Promise<Settled> {
  const back = { ...change, before: change.after, after: change.before };
  const seen = await look(context.remote, back);
  // It was read back after it was written, so it holds that as far as anybody knows.
  if (seen.holds === 'unknown') return { ...seen, holds: 'after' };
  if (seen.holds !== 'before') return { ...seen, holds: REVERSED[seen.holds] };
  // A journal that cannot be written must not prevent restoring.
  await note(context, { ...intentFor(back, planned, context), isRestore: true });
  const settled = await settleWrite(context.remote, back, seen);
  const holds = REVERSED[settled.holds];
  await note(context, outcomeFor(change, planned, holds, context));
  return { ...settled, holds };
}

const REVERSED: Readonly<Record<ModuleState, ModuleState>> = {
  before: 'after',
  after: 'before',
  foreign: 'foreign',
  unknown: 'unknown',
};

function intentFor(change: ModuleChange, { target }: PlannedTarget, { keyed, run }: WriteContext): IntentEntry {
  const { ref, module, before, after } = change;
  return {
    kind: 'intent',
    run,
    target: target.name,
    ref,
    module,
    before: sealModule(module, before, keyed),
    after: sealModule(module, after, keyed),
    beforeFingerprint: keyed.fingerprint(before),
    afterFingerprint: keyed.fingerprint(after),
  };
}

/** Undefined if it is not known what the module holds: the intent stays open. */
function outcomeFor(
  { module }: ModuleChange,
  { target }: PlannedTarget,
  holds: ModuleState,
  { run }: WriteContext,
): OutcomeEntry | undefined {
  return holds === 'unknown' ? undefined : { kind: 'outcome', run, target: target.name, module, holds };
}

async function note(
  { journal }: WriteContext,
  entry: IntentEntry | OutcomeEntry | undefined,
): Promise<ExternalError | undefined> {
  try {
    if (entry) await journal(entry);
    return undefined;
  } catch (error) {
    if (error instanceof ExternalError) return error;
    throw error;
  }
}
