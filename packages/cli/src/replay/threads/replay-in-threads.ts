import { type ResourceLimits, Worker } from 'node:worker_threads';
import { ExternalError } from '@tollgate/diagnostics';
import type { Policy } from '@tollgate/policy';
import { mergeParts, type PartData, type PartMerge, type ReplayOptions, type ReplaySummary } from '@tollgate/simulator';
import { enlargeYoungGenerationOfThreads, freezeYoungGeneration } from '../../process/v8-heap-flags.ts';
import type { PartRequest, ThreadMessage, ThreadSetup } from './messages.ts';
import type { ThreadPlan } from './plan-threads.ts';

/** A replay that runs on several threads. */
export interface ThreadedReplay extends Pick<ThreadSetup, 'args' | 'env'> {
  readonly policy: Policy;
  readonly options: ReplayOptions;
  readonly plan: ThreadPlan;
}

/** Replays traffic on several threads, each of which takes the next part when it finishes one. The result equals that of `replay`. */
export async function replayInThreads({ args, env, policy, options, plan }: ThreadedReplay): Promise<ReplaySummary> {
  const merge = mergeParts(policy, options);
  const done = inOrder(merge);
  const queue = plan.parts.map((part, index): PartRequest => ({ index, part }));
  const setup: ThreadSetup = { args, env, breakdown: options.breakdown };
  enlargeYoungGenerationOfThreads();
  freezeYoungGeneration();
  const workers = Array.from({ length: plan.threads }, () => startWorker(setup));
  try {
    await Promise.all(workers.map(worker => runParts(worker, { queue, done, options })));
  } finally {
    await Promise.all(workers.map(worker => worker.terminate()));
  }
  return merge.summary();
}

/** Returns a function that adds parts in their order, whatever order they arrive in. */
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
  // In a clone, packages run from source; in a bundle, the thread's file is next to this one.
  const file = isSource ? './replay-thread.ts' : './replay-thread.cjs';
  return new Worker(new URL(file, import.meta.url), {
    workerData: setup,
    execArgv: isSource ? ['--conditions=tollgate-source'] : [],
    resourceLimits: THREAD_LIMITS,
  });
}

/** Without the second limit, V8 postpones collecting the old generation: up to 433 MB on two threads for 1.2 GB of traffic. */
const THREAD_LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 512 };

interface Work {
  readonly queue: PartRequest[];
  /** Called with the result of a part and its index. */
  readonly done: (index: number, data: PartData) => void;
  readonly options: ReplayOptions;
}

/** Resolves when no part is left for the worker. */
function runParts(worker: Worker, { queue, done, options }: Work): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = () => {
      const request = queue.shift();
      if (request !== undefined) worker.postMessage(request);
      return request !== undefined;
    };
    const take = (message: ThreadMessage) => {
      if (message.kind === 'read') {
        options.traffic?.onBytes?.(message.bytes);
        options.watch?.read?.(message.exchanges);
      } else if (message.kind === 'done') {
        // The worker continues in the meantime.
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

/** Running out of memory in a thread is not a bug. */
function asFailure(cause: unknown): unknown {
  const isOutOfMemory = cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isOutOfMemory
    ? new ExternalError(FAILED, 'a replay thread ran out of memory; pass `--threads 1`, which needs less', { cause })
    : cause;
}
