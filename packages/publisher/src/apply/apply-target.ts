import { ExternalError } from '@tollgate/diagnostics';
import type { IntentEntry, JournalWriter, OutcomeEntry } from '../journal/entry.ts';
import type { Keyed } from '../model/keyed.ts';
import type { ModuleName } from '../model/record.ts';
import { sealModule } from '../model/secrets.ts';
import type { PlannedTarget } from '../plan/plan.ts';
import type { Remote } from '../remote/remote.ts';
import type { ModuleState, TargetOutcome, TargetState } from './outcome.ts';
import { look, lookAgain, type ModuleChange, type RecordWrite, type Sighting, settleWrite } from './settle-write.ts';
import { type RunStamp, shareRun, unshareRun } from './share-run.ts';

/** What writing a target needs. */
export interface WriteContext {
  readonly remote: Remote;
  readonly journal: JournalWriter;
  readonly keyed: Keyed;
  readonly stamp: RunStamp;
}

/** A target whose modules are being changed. */
export interface TargetWrite {
  readonly planned: PlannedTarget;
  readonly write: RecordWrite;
  /** The record as it was read last. */
  readonly seen: Sighting;
  /** The metadata from before the run; undefined if it was left alone. */
  readonly former: string | undefined;
  readonly outcome: TargetOutcome;
  /** A failure that ends the run, unlike a conflict. */
  readonly isFatal: boolean;
}

/** Writes the modules of one target in sequence, since they share an entity tag. If one cannot be written, restores those before it. */
export async function applyTarget(planned: PlannedTarget, context: WriteContext): Promise<TargetWrite> {
  const { ref } = planned;
  const changes = changesOf(planned);
  const watch = { current: undefined, superseded: new Set<string>() };
  const settled = new Map(planned.modules.filter(isSettled).map(({ module, live }) => [module, live]));
  const write: RecordWrite = { remote: context.remote, ref, changes, settled, watch, open: new Map() };
  const first = await look(write, holds => isAll(holds, 'before'));
  const begun = { planned, write, seen: first, former: undefined, unshared: undefined };
  if (isAny(first.holds, 'unknown')) return ended(begun, 'unknown', first.reason, true);
  if (isAny(first.holds, 'foreign')) return ended(begun, 'conflict', first.reason, false);
  const { stamp, keyed } = context;
  const shared = await shareRun(write, first, { stamp, target: planned.target.name, keyed });
  let writing: Writing = { ...begun, ...shared };
  for (const change of changes) {
    if (writing.seen.holds.get(change.module) === 'before') {
      const seen = await writeModule(change, writing, context);
      writing = { ...writing, seen };
    }
    // Also of the other modules, which somebody else may have changed meanwhile.
    if (!isDone(changes, change, writing.seen)) return await undo(writing, context);
  }
  return ended(writing, 'written', undefined, false);
}

type Writing = Pick<TargetWrite, 'planned' | 'write' | 'seen' | 'former'> & { readonly unshared: string | undefined };

function isAll(holds: Sighting['holds'], state: ModuleState): boolean {
  return [...holds.values()].every(one => one === state);
}

function isAny(holds: Sighting['holds'], state: ModuleState): boolean {
  return [...holds.values()].includes(state);
}

function isDone(changes: readonly ModuleChange[], last: ModuleChange, { holds }: Sighting): boolean {
  if (isAny(holds, 'foreign')) return false;
  return changes.slice(0, changes.indexOf(last) + 1).every(({ module }) => holds.get(module) === 'after');
}

function ended(writing: Writing, state: TargetState, reason: string | undefined, isFatal: boolean): TargetWrite {
  const modules = [...writing.seen.holds].map(([module, holds]) => ({ module, holds }));
  const { planned, unshared } = writing;
  const outcome = { target: planned.target.name, state, reason, modules, ...(unshared !== undefined && { unshared }) };
  return { ...writing, outcome, isFatal };
}

function isSettled({ changes }: PlannedTarget['modules'][number]): boolean {
  return changes.length === 0;
}

function changesOf({ modules }: PlannedTarget): readonly ModuleChange[] {
  const changed = modules.filter(one => !isSettled(one));
  return changed.map(({ module, live, wanted }) => ({ module, before: live, after: wanted }));
}

/** Announces the write in the journal, so that a crash leaves no doubt about what may have been written. */
async function writeModule(change: ModuleChange, writing: Writing, context: WriteContext): Promise<Sighting> {
  const { planned, write, seen } = writing;
  const failure = await note(context, intentFor(change, planned, context));
  if (failure) return { ...seen, reason: failure.message };
  const settled = await settleWrite(write, { module: change.module, goal: 'after' }, seen);
  await noteOutcomes(settled, { ...writing, touched: change.module }, context);
  return settled;
}

/** Restores the modules that were written before one that could not be. */
async function undo(writing: Writing, context: WriteContext): Promise<TargetWrite> {
  const { reason } = writing.seen;
  const isConflict = isAny(writing.seen.holds, 'foreign');
  const hasWritten = isAny(writing.seen.holds, 'after');
  const restored = await restoreModules(writing, context);
  if (restored.outcome.state !== 'restored') {
    const { outcome } = restored;
    return { ...restored, outcome: { ...outcome, reason: outcome.reason ?? reason }, isFatal: !isConflict };
  }
  const state = isConflict ? 'conflict' : hasWritten ? 'restored' : 'unchanged';
  return ended({ ...writing, seen: restored.seen }, state, reason, !isConflict);
}

/** Restores the modules of a target that hold what the run wrote. Leaves alone what somebody else has changed since. */
export async function restoreTarget(target: TargetWrite, context: WriteContext): Promise<TargetWrite> {
  const found = await look(target.write, holds => isAll(holds, 'after'));
  const seen = { ...found, holds: assumed(found, target.seen) };
  const writing = { ...target, unshared: target.outcome.unshared, seen };
  await noteOutcomes(seen, { ...writing, seen: target.seen, touched: undefined }, context);
  if (seen.record === undefined) return ended(writing, 'not restored', found.reason, true);
  const restored = await restoreModules(writing, context);
  const isForeign = restored.outcome.state === 'restored' && isAny(restored.seen.holds, 'foreign');
  return isForeign ? ended({ ...writing, seen: restored.seen }, 'not restored', seen.reason, true) : restored;
}

/**
 * What was read back after it was written is there as far as anybody knows, if it cannot be read now; and also if the former contents are
 * read without a tag, which may be out of date. To write those again does no harm.
 */
function assumed({ holds, tag }: Sighting, earlier: Sighting): Sighting['holds'] {
  if (isAny(holds, 'unknown')) return earlier.holds;
  if (tag !== undefined) return holds;
  const wasWritten = (module: ModuleName) => earlier.holds.get(module) === 'after';
  return new Map([...holds].map(([one, now]) => [one, now === 'before' && wasWritten(one) ? 'after' : now]));
}

async function restoreModules(writing: Writing, context: WriteContext): Promise<TargetWrite> {
  const { planned, write, former } = writing;
  let { seen } = writing;
  let reason: string | undefined;
  const left = write.changes.toReversed();
  // What could not be read before may be read by now.
  const next = () => left.find(({ module }) => seen.holds.get(module) === 'after');
  for (let change = next(); change !== undefined; change = next()) {
    if (seen.record === undefined) {
      // Without a tag, a write that arrives late could not be told from others.
      const found = await lookAgain(write);
      if (found.record === undefined) {
        reason ??= found.reason;
        break;
      }
      await noteOutcomes(found, { ...writing, seen, touched: undefined }, context);
      seen = found;
      continue;
    }
    const { module, before, after } = change;
    left.splice(left.indexOf(change), 1);
    // A journal that cannot be written must not prevent restoring.
    const back = intentFor({ module, before: after, after: before }, planned, context);
    await note(context, { ...back, isRestore: true });
    const settled = await settleWrite(write, { module, goal: 'before' }, seen);
    await noteOutcomes(settled, { ...writing, seen, touched: module }, context);
    if (settled.holds.get(module) !== 'before') reason ??= settled.reason;
    seen = settled;
  }
  const now = { ...writing, seen };
  const isLeft = isAny(seen.holds, 'after') || isAny(seen.holds, 'unknown');
  if (!isLeft && former !== undefined) await unshareRun(write, seen, former);
  if (isAny(seen.holds, 'unknown')) return ended(now, 'unknown', reason, true);
  if (isLeft || reason !== undefined) return ended(now, 'not restored', reason, true);
  return ended(now, 'restored', undefined, true);
}

function intentFor(change: ModuleChange, { target, ref }: PlannedTarget, { keyed, stamp }: WriteContext): IntentEntry {
  const { module, before, after } = change;
  return {
    kind: 'intent',
    run: stamp.run,
    target: target.name,
    ref,
    module,
    before: sealModule(module, before, keyed),
    after: sealModule(module, after, keyed),
    beforeFingerprint: keyed.fingerprint(before),
    afterFingerprint: keyed.fingerprint(after),
  };
}

/** Notes what the module that was written holds, and what is new about others. What is not known stays open. */
async function noteOutcomes(
  { holds }: Sighting,
  { planned, seen, touched }: Writing & { readonly touched: ModuleName | undefined },
  context: WriteContext,
): Promise<void> {
  for (const [module, state] of holds) {
    if (state === 'unknown') continue;
    const was = seen.holds.get(module);
    const isNews = module === touched || (was !== state && (was === 'after' || was === 'unknown'));
    if (!isNews) continue;
    const { stamp } = context;
    await note(context, { kind: 'outcome', run: stamp.run, target: planned.target.name, module, holds: state });
  }
}

async function note({ journal }: WriteContext, entry: IntentEntry | OutcomeEntry): Promise<ExternalError | undefined> {
  try {
    await journal(entry);
    return undefined;
  } catch (error) {
    if (error instanceof ExternalError) return error;
    throw error;
  }
}
