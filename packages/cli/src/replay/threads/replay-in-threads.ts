import { type ResourceLimits, Worker } from 'node:worker_threads';
import { ExternalError } from '@tollgate/diagnostics';
import type { Policy } from '@tollgate/policy';
import { mergeParts, type PartData, type PartMerge, type ReplayOptions, type ReplaySummary } from '@tollgate/simulator';
import { enlargeYoungGenerationOfThreads } from '../../process/v8-heap-flags.ts';
import type { PartRequest, ThreadMessage, ThreadSetup } from './messages.ts';
import type { ThreadPlan } from './plan-threads.ts';

/** A replay that is spread over threads. */
export interface ThreadedReplay extends Pick<ThreadSetup, 'args' | 'env'> {
  readonly policy: Policy;
  readonly options: ReplayOptions;
  readonly plan: ThreadPlan;
}

/** As `replay`, on several threads: each takes the next part when it is through with one. The figures are the same. */
export async function replayInThreads({ args, env, policy, options, plan }: ThreadedReplay): Promise<ReplaySummary> {
  const merge = mergeParts(policy, options);
  const done = inOrder(merge);
  const left = plan.parts.map((part, index): PartRequest => ({ index, part }));
  const setup: ThreadSetup = { args, env, breakdown: options.breakdown };
  enlargeYoungGenerationOfThreads();
  const workers = Array.from({ length: plan.threads }, () => startWorker(setup));
  try {
    await Promise.all(workers.map(worker => runParts(worker, { left, done, options })));
  } finally {
    await Promise.all(workers.map(worker => worker.terminate()));
  }
  return merge.summary();
}

/** Adds parts in their order, whatever order they come in. */
function inOrder({ add }: PartMerge): (index: number, data: PartData) => void {
  const waiting = new Map<number, PartData>();
  let next = 0;
  return (index, data) => {
    waiting.set(index, data);
    for (let part = waiting.get(next); part !== undefined; part = waiting.get(next)) {
      waiting.delete(next++);
      add(part);
    }
  };
}

function startWorker(setup: ThreadSetup): Worker {
  const isSource = import.meta.url.endsWith('.ts');
  // In a clone packages run from their sources; a bundle has the thread beside it.
  const file = isSource ? './replay-thread.ts' : './replay-thread.cjs';
  return new Worker(new URL(file, import.meta.url), {
    workerData: setup,
    execArgv: isSource ? ['--conditions=tollgate-source'] : [],
    resourceLimits: THREAD_LIMITS,
  });
}

/** Without the second limit V8 lets what it took for old pile up: to 433 MB on two threads at 1.2 GB. */
const THREAD_LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 512 };

interface Work {
  readonly left: PartRequest[];
  /** Takes what was counted of a part, by its index. */
  readonly done: (index: number, data: PartData) => void;
  readonly options: ReplayOptions;
}

/** Settles when no part is left for the worker. */
function runParts(worker: Worker, { left, done, options }: Work): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = () => {
      const request = left.shift();
      if (request !== undefined) worker.postMessage(request);
      return request !== undefined;
    };
    const take = (message: ThreadMessage) => {
      if (message.kind === 'read') {
        options.traffic?.onBytes?.(message.bytes);
        options.watch?.read?.(message.exchanges);
      } else if (message.kind === 'done') {
        // The worker goes on meanwhile.
        const goesOn = next();
        done(message.index, message.data);
        if (!goesOn) resolve();
      } else reject(new ExternalError(message.code, message.message));
    };
    worker.on('message', (message: ThreadMessage) => {
      try {
        take(message);
      } catch (error) {
        reject(error);
      }
    });
    worker.on('error', cause => reject(asFailure(cause)));
    worker.on('exit', code => reject(new ExternalError(FAILED, `a replay thread exited with code ${code}`)));
    if (!next()) resolve();
  });
}

const FAILED = 'replay/thread-failed';

/** A thread that the machine has no room for is not our mistake. */
function asFailure(cause: unknown): unknown {
  const isOfWorld = cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isOfWorld
    ? new ExternalError(FAILED, 'a replay thread ran out of memory; pass `--threads 1`, which needs less', { cause })
    : cause;
}
