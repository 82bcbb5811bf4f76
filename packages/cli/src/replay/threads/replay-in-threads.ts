import { type ResourceLimits, Worker } from 'node:worker_threads';
import { WorldError } from '@tollgate/diagnostics';
import type { Policy } from '@tollgate/policy';
import { mergeParts, type PartData, type ReplayOptions, type ReplaySummary } from '@tollgate/simulator';
import type { ReplayArguments } from '../replay-options.ts';
import type { PartRequest, ThreadMessage, ThreadSetup } from './messages.ts';
import type { ThreadPlan } from './plan-threads.ts';

/** A replay that is spread over threads. */
export interface ThreadedReplay {
  readonly args: ReplayArguments;
  readonly policy: Policy;
  readonly options: ReplayOptions;
  readonly plan: ThreadPlan;
}

/** As `replay`, on several threads: each takes the next part when it is through with one. The figures are the same. */
export async function replayInThreads({ args, policy, options, plan }: ThreadedReplay): Promise<ReplaySummary> {
  const data: PartData[] = [];
  const left = plan.parts.map((part, index): PartRequest => ({ index, part }));
  const setup: ThreadSetup = { args, breakdown: options.breakdown };
  const workers = Array.from({ length: plan.threads }, () => startWorker(setup));
  try {
    await Promise.all(workers.map(worker => runParts(worker, { left, data, options })));
  } finally {
    await Promise.all(workers.map(worker => worker.terminate()));
  }
  return mergeParts(policy, options, data);
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

/**
 * Small enough that two threads stay below 300 MB, and large enough for what is young to die young: with 16 MB, objects of a batch that is still
 * being replayed were taken for old ones, and an access log of 400 MB took 440 MB and a quarter more time. Without the second limit V8 lets what
 * it took for old pile up: to 433 MB at 1.2 GB.
 */
const THREAD_LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 512 };

interface Work {
  readonly left: PartRequest[];
  /** By the index of the part. */
  readonly data: PartData[];
  readonly options: ReplayOptions;
}

/** Settles when no part is left for the worker. */
function runParts(worker: Worker, { left, data, options }: Work): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = () => {
      const request = left.shift();
      if (request === undefined) resolve();
      else worker.postMessage(request);
    };
    worker.on('message', (message: ThreadMessage) => {
      if (message.kind === 'read') {
        options.traffic?.onBytes?.(message.bytes);
        options.watch?.read?.(message.exchanges);
      } else if (message.kind === 'done') {
        data[message.index] = message.data;
        next();
      } else reject(new WorldError(message.code, message.message));
    });
    worker.on('error', cause => reject(asFailure(cause)));
    worker.on('exit', code => reject(new WorldError(FAILED, `a thread has ended with exit code ${code}`)));
    next();
  });
}

const FAILED = 'replay/thread-failed';

/** A thread that the machine has no room for is not our mistake. */
function asFailure(cause: unknown): unknown {
  const isOfWorld = cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isOfWorld
    ? new WorldError(FAILED, 'a thread has run out of memory; `--threads 1` needs less', { cause })
    : cause;
}
