// Applies a plan: writes each target, reads it back, restores it if a module fails, and announces the run with the
// records.

import { ExternalError } from '@tollgate/diagnostics';
import type { IntentEntry, JournalWriter, OutcomeEntry } from './journal.ts';
import type { Keyed } from './json.ts';
import type { ModuleName } from './module.ts';
import type { PlannedTarget } from './plan.ts';
import { type RecordRun, readState, stateText } from './record-state.ts';
import { outdate, type Remote, supersede } from './remote.ts';
import { sealModule } from './secrets.ts';
import { versionsOf } from './standing.ts';
import {
  type ApplyOutcome,
  type ModuleChange,
  type ModuleState,
  type Observation,
  observe,
  observeAgain,
  type RecordWrite,
  type TargetOutcome,
  type TargetState,
  writeAndVerify,
} from './write-and-verify.ts';

/** How to apply a plan. */
export interface ApplyOptions extends WriteContext {
  /** How many records are written at the same time. */
  readonly concurrency: number;
  /** Whether to restore the targets already written if one fails. */
  readonly rollBack: boolean;
  /** Is told of each target as soon as its state is known, and again if it is restored. */
  readonly report: (outcome: TargetOutcome) => void;
  /** When aborted, no further target is begun; those begun are finished. */
  readonly signal: AbortSignal;
}

/** Writes the changed targets. Never throws for what the network, the server or somebody else does. */
export async function applyPlan(targets: readonly PlannedTarget[], options: ApplyOptions): Promise<ApplyOutcome> {
  const changed = targets.filter(({ isChanged }) => isChanged);
  const tags = { seen: undefined as boolean | undefined };
  const context = { ...options, remote: watchingTags(options.remote, tags) };
  const writes = new Map<PlannedTarget, TargetWrite>();
  let isFailed = false;
  await inParallel(changed, options.concurrency, async planned => {
    if (isFailed || options.signal.aborted) return;
    const write = await applyTarget(planned, context);
    writes.set(planned, write);
    isFailed ||= write.isFatal;
    options.report(write.outcome);
  });
  const isInterrupted = options.signal.aborted && writes.size < changed.length;
  if (isFailed && options.rollBack) await rollBack(writes, options, context);
  const reason = isFailed ? 'not begun, because another target failed' : 'not begun, because the run was interrupted';
  const outcomes = changed.map(planned => writes.get(planned)?.outcome ?? untouched(planned, reason));
  return { targets: outcomes, isInterrupted, isFailed, hasTags: tags.seen };
}

async function rollBack(
  writes: Map<PlannedTarget, TargetWrite>,
  { concurrency, report }: ApplyOptions,
  context: WriteContext,
): Promise<void> {
  const written = [...writes].filter(([, { outcome }]) => outcome.state === 'written').toReversed();
  await inParallel(written, concurrency, async ([planned, write]) => {
    const restored = await restoreTarget(write, context);
    writes.set(planned, restored);
    report(restored.outcome);
  });
}

function untouched({ target, modules }: PlannedTarget, reason: string): TargetOutcome {
  const held = modules.flatMap(({ module, changes }) =>
    changes.length > 0 ? [{ module, holds: 'before' as const }] : [],
  );
  return { target: target.name, state: 'unchanged', reason, modules: held };
}

/** Runs the work for each item, some at a time. */
async function inParallel<T>(items: readonly T[], limit: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
}

function watchingTags(remote: Remote, tags: { seen: boolean | undefined }): Remote {
  return {
    list: (kinds, seen) => remote.list(kinds, seen),
    pause: tried => remote.pause(tried),
    write: write => remote.write(write),
    annotate: annotation => remote.annotate(annotation),
    read: async ref => {
      const reading = await remote.read(ref);
      if (reading.ok) tags.seen = (tags.seen ?? true) && reading.value.tag !== undefined;
      return reading;
    },
  };
}

/** What writing a target needs. */
interface WriteContext {
  readonly remote: Remote;
  readonly journal: JournalWriter;
  readonly keyed: Keyed;
  readonly stamp: RunStamp;
}

/** A target whose modules are being changed. */
interface TargetWrite {
  readonly planned: PlannedTarget;
  readonly write: RecordWrite;
  /** The record as it was read last. */
  readonly seen: Observation;
  /** The metadata from before the run; undefined if it was left alone. */
  readonly former: string | undefined;
  readonly outcome: TargetOutcome;
  /** A failure that ends the run, unlike a conflict. */
  readonly isFatal: boolean;
}

/** Writes the modules of one target in sequence, since they share an entity tag. If one cannot be written, restores those before it. */
async function applyTarget(planned: PlannedTarget, context: WriteContext): Promise<TargetWrite> {
  const { ref } = planned;
  const changes = changesOf(planned);
  const watch = { current: undefined, superseded: new Set<string>() };
  const settled = new Map(planned.modules.filter(isSettled).map(({ module, live }) => [module, live]));
  const write: RecordWrite = { remote: context.remote, ref, changes, settled, watch, open: new Map() };
  const first = await observe(write, holds => isAll(holds, 'before'));
  const begun = { planned, write, seen: first, former: undefined, unshared: undefined };
  if (isAny(first.holds, 'unknown')) return ended(begun, 'unknown', first.reason, true);
  if (isAny(first.holds, 'foreign')) return ended(begun, 'conflict', first.reason, false);
  const { stamp, keyed } = context;
  const shared = await announceRun(write, first, { stamp, target: planned.target.name, keyed });
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

function isAll(holds: Observation['holds'], state: ModuleState): boolean {
  return [...holds.values()].every(one => one === state);
}

function isAny(holds: Observation['holds'], state: ModuleState): boolean {
  return [...holds.values()].includes(state);
}

function isDone(changes: readonly ModuleChange[], last: ModuleChange, { holds }: Observation): boolean {
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
async function writeModule(change: ModuleChange, writing: Writing, context: WriteContext): Promise<Observation> {
  const { planned, write, seen } = writing;
  const failure = await note(context, intentFor(change, planned, context));
  if (failure) return { ...seen, reason: failure.message };
  const settled = await writeAndVerify(write, { module: change.module, goal: 'after' }, seen);
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
async function restoreTarget(target: TargetWrite, context: WriteContext): Promise<TargetWrite> {
  const found = await observe(target.write, holds => isAll(holds, 'after'));
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
function assumed({ holds, tag }: Observation, earlier: Observation): Observation['holds'] {
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
      const found = await observeAgain(write);
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
    const settled = await writeAndVerify(write, { module, goal: 'before' }, seen);
    await noteOutcomes(settled, { ...writing, seen, touched: module }, context);
    if (settled.holds.get(module) !== 'before') reason ??= settled.reason;
    seen = settled;
  }
  const now = { ...writing, seen };
  const isLeft = isAny(seen.holds, 'after') || isAny(seen.holds, 'unknown');
  if (!isLeft && former !== undefined) await withdrawRun(write, seen, former);
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
  { holds }: Observation,
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

/** Keeps what was applied in the metadata of the record, before it is written, so that every machine knows of it. */

/** What records tell of a run. */
export type RunStamp = Pick<
  RecordRun,
  'run' | 'sequence' | 'time' | 'command' | 'who' | 'keyId' | 'environment' | 'undoes' | 'commit' | 'project'
>;

/** A record that tells of the run, as it was read last. */
interface SharedRun {
  readonly seen: Observation;
  /** The metadata from before; undefined if it was left alone. */
  readonly former: string | undefined;
  /** Why other machines do not know of the run; undefined if they do. */
  readonly unshared: string | undefined;
}

/** How often metadata are sent. */
const TRIES = 3;

/**
 * Announces a run in the metadata of a record, next to the runs that are there. If the metadata turn out to be others than those that were
 * read, as after a reading that was out of date, it is announced next to those. A run that cannot be announced is made all the same: the
 * journal has it.
 */
async function announceRun(
  write: RecordWrite,
  first: Observation,
  { stamp, target, keyed }: { readonly stamp: RunStamp; readonly target: string; readonly keyed: Keyed },
): Promise<SharedRun> {
  const modules = write.changes.map(change => [change.module, versionsOf(change.module, change, keyed)]);
  const run: RecordRun = { ...stamp, target, modules: Object.fromEntries(modules) };
  let [seen, failure] = [first, ''];
  for (let tried = 0; tried < TRIES; tried++) {
    const former = seen.record!.metadata;
    const state = readState(former);
    if (state.kind === 'other') return { seen, former: undefined, unshared: 'its metadata is used for something else' };
    const text = stateText([run, ...(state.kind === 'state' ? state.runs : [])]);
    if (text === '') return { seen, former: undefined, unshared: 'it changes too much for its metadata' };
    const sent = await annotate(write, seen, text);
    if (sent.failure === undefined) return { seen: sent.seen, former, unshared: undefined };
    [seen, failure] = [sent.seen, sent.failure];
    if (seen.record!.metadata === former) return { seen, former, unshared: failure };
  }
  return { seen, former: undefined, unshared: failure };
}

/** Takes back what a run has announced but not done. Comparing it with what is live shows that as well, so a failure does no harm. */
async function withdrawRun(write: RecordWrite, seen: Observation, former: string): Promise<void> {
  if (seen.record !== undefined) await annotate(write, seen, former);
}

interface Annotated {
  readonly seen: Observation;
  readonly failure: string | undefined;
}

async function annotate(write: RecordWrite, seen: Observation, metadata: string): Promise<Annotated> {
  let now = seen;
  let failure = 'no response';
  for (let tried = 0; tried < TRIES; tried++) {
    const { remote, ref, watch } = write;
    const answer = await remote.annotate({ ref, metadata, tag: now.tag });
    if (answer.kind === 'rejected') return { seen: now, failure: answer.message };
    if (answer.kind === 'accepted' && (answer.tag !== undefined || now.tag === undefined)) {
      supersede(watch, answer.tag);
      return { seen: { ...now, tag: answer.tag }, failure: undefined };
    }
    if (answer.kind === 'changed') outdate(watch, now.tag);
    if (answer.kind !== 'accepted') failure = answer.message;
    const found = await observe(write, holds => isSameHolds(holds, now), answer.kind !== 'unsettled');
    if (found.record === undefined) return { seen: now, failure: found.reason ?? failure };
    now = found;
    if (found.record.metadata === metadata) return { seen: now, failure: undefined };
    // Somebody else has written it: what they keep there must not be lost.
    if (found.record.metadata !== seen.record!.metadata) break;
  }
  return { seen: now, failure };
}

function isSameHolds(holds: Observation['holds'], seen: Observation): boolean {
  return [...holds].every(([module, state]) => seen.holds.get(module) === state);
}
