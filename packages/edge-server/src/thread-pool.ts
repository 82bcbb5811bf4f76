// Threads for long work with limits of time and memory, and turns of the event loop for work that stays.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';

/** Runs tasks on threads, which send one message when they are loaded, and one for each message that they receive. */
export interface ThreadPool<Task, Result> {
  /** @throws ThreadLimit if the task exceeds its budget */
  readonly run: (task: Task) => Promise<Result>;
  /** Starts a thread, so that the first task does not wait for it. */
  readonly getReady: () => void;
  /** Ends all threads; tasks that are running or waiting fail. */
  readonly close: () => Promise<void>;
}

/** The threads of a pool. */
interface ThreadPoolOptions {
  readonly start: () => Worker;
  /** How many threads run at the same time. */
  readonly size: number;
  /** The processor time of a task in milliseconds: on a busy machine, a task may take longer. */
  readonly budget: number;
  /** The longest time in milliseconds that a task waits for a thread, and that it runs, however busy the machine is. */
  readonly longest: { readonly wait: number; readonly run: number };
}

/** A thread that is not needed for this long ends, unless it is the only one. Threads keep the memory of their largest task. */
const IDLE = 10_000;
/** The shortest time between two looks at a running thread, in milliseconds. */
const SHORTEST_WAIT = 20;

interface Job<Task, Result> {
  readonly task: Task;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Creates a pool whose threads start when they are needed. A thread that exceeds its budget is ended and replaced. */
export function createThreadPool<Task, Result>(options: ThreadPoolOptions): ThreadPool<Task, Result> {
  const waiting: Job<Task, Result>[] = [];
  const crew = createCrew(options);
  const next = (): void => {
    const worker = waiting.length > 0 ? crew.take() : undefined;
    if (!worker) return;
    const { task, resolve, reject } = waiting.shift()!;
    const done = crew.loaded(worker).then(() => runTask<Task, Result>(worker, task, options));
    done.then(resolve, reject);
    void done
      .then(
        () => crew.rest(worker),
        () => crew.drop(worker),
      )
      .then(next);
    next();
  };
  const giveUpLater = (job: Job<Task, Result>): void => {
    const giveUp = () => {
      const at = waiting.indexOf(job);
      if (at >= 0) waiting.splice(at, 1)[0]!.reject(new ThreadLimit('busy'));
    };
    setTimeout(giveUp, options.longest.wait).unref();
  };
  return {
    run: task =>
      new Promise((resolve, reject) => {
        const job = { task, resolve, reject };
        waiting.push(job);
        next();
        if (waiting.includes(job)) giveUpLater(job);
      }),
    getReady: crew.getReady,
    close: async () => {
      for (const { reject } of waiting.splice(0)) reject(new Error('the threads are stopping'));
      await crew.dropAll();
    },
  };
}

/** The threads of a pool: those that run a task, and those that rest. */
interface Crew {
  /** Returns a thread that rests, or a new one; undefined if all are running. */
  readonly take: () => Worker | undefined;
  readonly rest: (worker: Worker) => void;
  readonly drop: (worker: Worker) => Promise<void>;
  /** Resolves when a thread is loaded. */
  readonly loaded: (worker: Worker) => Promise<void>;
  readonly getReady: () => void;
  readonly dropAll: () => Promise<void>;
}

function createCrew(options: Pick<ThreadPoolOptions, 'start' | 'size'>): Crew {
  const threads = new Map<Worker, Promise<void>>();
  const resting = new Map<Worker, NodeJS.Timeout>();
  const drop = async (worker: Worker): Promise<void> => {
    clearTimeout(resting.get(worker));
    resting.delete(worker);
    threads.delete(worker);
    await worker.terminate();
  };
  const rest = (worker: Worker): void => {
    const timer = setTimeout(() => threads.size > 1 && void drop(worker), IDLE).unref();
    resting.set(worker, timer);
  };
  const start = (): Worker => {
    const worker = options.start();
    // The server keeps the process alive, not its threads.
    worker.unref();
    threads.set(worker, loaded(worker));
    // A thread that ends by itself is replaced by the next task.
    worker.on('error', () => void drop(worker));
    return worker;
  };
  return {
    take: () => {
      const [worker] = resting.keys();
      if (!worker) return threads.size < options.size ? start() : undefined;
      clearTimeout(resting.get(worker));
      resting.delete(worker);
      return worker;
    },
    rest,
    drop,
    loaded: worker => threads.get(worker)!,
    getReady: () => {
      if (threads.size === 0) rest(start());
    },
    dropAll: async () => {
      await Promise.all([...threads.keys()].map(drop));
    },
  };
}

/** Loading is not part of a task, and takes longer on a busy machine. */
function loaded(worker: Worker): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Reported by the tasks of the thread; there may be none.
  promise.catch(() => undefined);
  worker.once('message', () => resolve());
  worker.once('error', reject);
  worker.once('exit', code => reject(ended(code)));
  return promise;
}

async function runTask<Task, Result>(worker: Worker, task: Task, options: ThreadPoolOptions): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const fail = (cause: unknown) => reject(isOutOfMemory(cause) ? new ThreadLimit('memory') : cause);
  const exit = (code: number) => reject(ended(code));
  worker.once('message', resolve).once('error', fail).once('exit', exit);
  const stopWatching = watch(worker, options, kind => reject(new ThreadLimit(kind)));
  try {
    worker.postMessage(task);
    return await promise;
  } finally {
    stopWatching();
    worker.off('message', resolve).off('error', fail).off('exit', exit);
  }
}

/** Calls `exceed` when the thread has used its budget of processor time. Returns a function that stops watching. */
function watch(
  worker: Worker,
  { budget, longest }: ThreadPoolOptions,
  exceed: (kind: ThreadLimitKind) => void,
): () => void {
  const used = () => worker.cpuUsage().then(({ user, system }) => (user + system) / 1000);
  const before = used().catch(() => 0);
  let isOver = false;
  const look = async (): Promise<void> => {
    const spent = await used().then(
      async now => now - (await before),
      () => 0,
    );
    if (isOver) return;
    if (spent >= budget) exceed('time');
    else next = setTimeout(() => void look(), Math.max(budget - spent, SHORTEST_WAIT));
  };
  let next = setTimeout(() => void look(), budget);
  // A thread within a long built-in function does not report its time.
  const last = setTimeout(exceed, longest.run, 'busy');
  return () => {
    isOver = true;
    clearTimeout(next);
    clearTimeout(last);
  };
}

function ended(code: number): Error {
  return new Error(`a thread ended with code ${code}`);
}

function isOutOfMemory(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** The most milliseconds that work keeps the event loop, unless a single step takes longer. */
const LONGEST_TURN = 10;

/** Returns a function to call between the steps of long work: if the work has kept the event loop for long, other requests run first. */
export function beginTurn(): () => Promise<void> {
  let begin = performance.now();
  return async () => {
    if (performance.now() - begin < LONGEST_TURN) return;
    await nextTurn();
    begin = performance.now();
  };
}

/** What a task has exceeded: its processor time, its memory, or the time for waiting and running. */
type ThreadLimitKind = 'time' | 'memory' | 'busy';

/** A task that was ended because it exceeded the budget of its thread, or because the machine was too busy for it. */
export class ThreadLimit extends Error {
  override readonly name = 'ThreadLimit';
  readonly kind: ThreadLimitKind;

  constructor(kind: ThreadLimitKind) {
    super(kind === 'busy' ? 'the threads are too busy' : `the thread exceeded its ${kind} limit`);
    this.kind = kind;
  }
}
