// Threads that process files.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { InternalError } from '@tollgate/diagnostics';
import { ProgressLine, progressText } from './progress-line.ts';
import type { Terminal } from './terminal.ts';
import {
  type Concurrency,
  type FileResults,
  type FilesRequest,
  type FileThreadMessage,
  type FileThreadSetup,
  type FileWork,
  type PortableFailure,
  receivedError,
  receivedFailure,
} from './thread-messages.ts';

/** A thread takes about as long to start as one thread takes for this number of files. */
const FILES_PER_THREAD = 200;

/** With more threads, merging the results is the bottleneck. */
const MAX_AUTOMATIC = 8;

/** Returns the number of threads for a number of files. */
export function threadsFor(concurrency: Concurrency, files: number): number {
  if (concurrency === 'off') return 1;
  const wanted =
    concurrency === 'auto'
      ? Math.min(availableParallelism(), MAX_AUTOMATIC, Math.floor(files / FILES_PER_THREAD))
      : concurrency;
  return Math.max(1, Math.min(wanted, files));
}

/** More parts balance better, but each costs a message. */
const PARTS_PER_THREAD = 8;

/** Threads that work on the files of a command. */
export class FileThreads<Input, Results extends FileResults> {
  readonly #work: FileWork<Input, Results>;
  readonly #terminal: Terminal;
  readonly #queue: FilesRequest[] = [];
  readonly #done: Extract<FileThreadMessage, { kind: 'done' }>[] = [];
  readonly #progress: ProgressLine | undefined;
  #finished = 0;

  constructor(work: FileWork<Input, Results>, terminal: Terminal) {
    this.#work = work;
    this.#terminal = terminal;
    const { errorColumns, writeError } = terminal;
    if (errorColumns !== undefined)
      this.#progress = new ProgressLine({ write: writeError, columns: errorColumns, now: () => performance.now() });
  }

  async run(threads: number): Promise<readonly Results[]> {
    const { command, options, inputs, revive } = this.#work;
    const { env, isInteractive, columns } = this.#terminal;
    const size = Math.ceil(inputs.length / (threads * PARTS_PER_THREAD));
    for (let start = 0; start < inputs.length; start += size)
      this.#queue.push({ index: this.#queue.length, inputs: inputs.slice(start, start + size) });
    const setup: FileThreadSetup = { command, options, env: { ...env }, isInteractive, columns };
    const workers = Array.from({ length: threads }, () => startThread(setup));
    try {
      await Promise.all(workers.map(worker => this.#runParts(worker)));
    } finally {
      this.#progress?.clear();
      await Promise.all(workers.map(worker => worker.terminate()));
    }
    return this.#done.map(({ result, written }) => {
      for (const { isError, text } of written) this.#terminal[isError ? 'writeError' : 'write'](text);
      const { failures } = result as { readonly failures: readonly PortableFailure[] };
      return revive({ ...(result as Results), failures: failures.map(receivedFailure) });
    });
  }

  /** Resolves when no part is left for the thread. */
  #runParts(worker: Worker): Promise<void> {
    return new Promise((resolve, reject) => {
      const next = () => {
        const request = this.#queue.shift();
        if (request !== undefined) worker.postMessage(request);
        else resolve();
      };
      worker.on('message', (message: FileThreadMessage) => {
        if (message.kind === 'failed') return reject(receivedError(message.failure));
        this.#done[message.index] = message;
        this.#finished += message.count;
        this.#progress?.draw(progressText(this.#finished, this.#work.inputs.length));
        next();
      });
      worker.on('error', reject);
      worker.on('exit', code => reject(new InternalError(`a thread exited with code ${code}`)));
      next();
    });
  }
}

function startThread(setup: FileThreadSetup): Worker {
  const isSource = import.meta.url.endsWith('.ts');
  // In a clone, packages run from source; in a bundle, the thread's file is next to this one.
  const file = isSource ? '../file-thread.ts' : './file-thread.cjs';
  return new Worker(new URL(file, import.meta.url), {
    workerData: setup,
    execArgv: isSource ? ['--conditions=tollgate-source'] : [],
  });
}
