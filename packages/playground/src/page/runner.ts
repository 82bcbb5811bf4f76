// Jobs for the worker that runs policies. It is ended to stop a job, and started again for the next one.

import type { Job, JobMessage, JobResult } from '../jobs.ts';

/** How long a job may take, in ms. A replay of 100 MB takes 5 s; what takes this long is more likely an attack or a mistake. */
const BUDGET_MS = 60_000;

/** Why a job has no result. */
export class JobStopped extends Error {
  override readonly name = 'JobStopped';
}

interface RunningJob {
  readonly id: number;
  readonly onProgress: (text: string) => void;
  readonly resolve: (result: JobResult) => void;
  readonly reject: (error: JobStopped) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** Runs one job at a time. */
export class Runner {
  readonly #script: string;
  #worker: Worker | undefined;
  #running: RunningJob | undefined;
  #last = 0;

  constructor(script: string) {
    this.#script = script;
  }

  /** Runs a job instead of the one that is running. Rejects with {@link JobStopped}. */
  run(job: Job, onProgress: (text: string) => void): Promise<JobResult> {
    this.stop('another one was started');
    const { promise, resolve, reject } = Promise.withResolvers<JobResult>();
    const id = ++this.#last;
    const stop = () =>
      this.stop(`it took longer than ${BUDGET_MS / 1000} s; the \`tollgate\` command has no such limit`);
    this.#running = { id, onProgress, resolve, reject, timer: setTimeout(stop, BUDGET_MS) };
    this.#worker ??= this.#start();
    this.#worker.postMessage({ id, job });
    return promise;
  }

  /** Ends the running job, if there is one. */
  stop(reason: string): void {
    if (!this.#running) return;
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#finish(running => running.reject(new JobStopped(reason)));
  }

  #start(): Worker {
    const worker = new Worker(this.#script);
    worker.onmessage = ({ data }: MessageEvent<JobMessage>) => {
      if (data.id !== this.#running?.id) return;
      if ('progress' in data) this.#running.onProgress(data.progress);
      else this.#finish(running => running.resolve(data.result));
    };
    worker.onerror = event => {
      event.preventDefault();
      if (worker === this.#worker) this.stop(event.message === '' ? 'the worker could not be loaded' : event.message);
    };
    return worker;
  }

  #finish(end: (running: RunningJob) => void): void {
    const running = this.#running;
    if (!running) return;
    this.#running = undefined;
    clearTimeout(running.timer);
    end(running);
  }
}
