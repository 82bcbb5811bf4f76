import type { PlannedTarget } from '../plan/plan.ts';
import type { Remote } from '../remote/remote.ts';
import { applyTarget, restoreTarget, type TargetWrite, type WriteContext } from './apply-target.ts';
import type { ApplyOutcome, TargetOutcome } from './outcome.ts';

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
