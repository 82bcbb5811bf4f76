import { Worker } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { createThreadPool, type ThreadPool } from './thread-pool.ts';

/** Answers with what a task says. */
const THREAD = `
  const { parentPort, threadId } = require('node:worker_threads');
  parentPort.postMessage('loaded');
  parentPort.on('message', ({ kind, value }) => {
    if (kind === 'loop') for (;;);
    if (kind === 'grow') for (const all = [];;) all.push(new Array(1000).fill({}).map(() => ({ value })));
    if (kind === 'throw') throw new Error(value);
    parentPort.postMessage(kind === 'thread' ? threadId : value);
  });`;

interface Task {
  readonly kind: 'echo' | 'loop' | 'grow' | 'throw' | 'thread';
  readonly value?: string;
}

const NO_LIMIT = { wait: 600_000, run: 600_000 };

let pool: ThreadPool<Task, unknown>;
let started = 0;

function poolOf(size: number, budget = 100, longest = NO_LIMIT): ThreadPool<Task, unknown> {
  started = 0;
  const start = () => {
    started += 1;
    return new Worker(THREAD, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } });
  };
  pool = createThreadPool({ start, size, budget, longest });
  return pool;
}

afterEach(() => pool.close());

it('runs tasks on at most as many threads as its size, and uses them again', async () => {
  const { run } = poolOf(2, 60_000);
  const values = Array.from({ length: 20 }, (_, index) => `${index}`);
  expect(await Promise.all(values.map(value => run({ kind: 'echo', value })))).toEqual(values);
  expect(started).toBe(2);
});

it('uses the thread that was started early', async () => {
  const { run, getReady } = poolOf(2, 60_000);
  getReady();
  getReady();
  await run({ kind: 'echo' });
  expect(started).toBe(1);
});

it('ends a task that exceeds its time or memory, and runs the others', async () => {
  const { run } = poolOf(1);
  const limits = [run({ kind: 'loop' }), run({ kind: 'echo', value: 'a' })];
  await expect(limits[0]).rejects.toMatchObject({ name: 'ThreadLimit', kind: 'time' });
  expect(await limits[1]).toBe('a');
  const large = createThreadPool<Task, unknown>({
    start: () => new Worker(THREAD, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } }),
    size: 1,
    budget: 60_000,
    longest: NO_LIMIT,
  });
  await expect(large.run({ kind: 'grow' })).rejects.toMatchObject({ name: 'ThreadLimit', kind: 'memory' });
  expect(await large.run({ kind: 'echo', value: 'b' })).toBe('b');
  await large.close();
});

it('gives up tasks that wait or run too long', async () => {
  const waiting = poolOf(1, 60_000, { wait: 1, run: 600_000 });
  const [running, late] = [waiting.run({ kind: 'loop' }), waiting.run({ kind: 'echo' })];
  await expect(late).rejects.toMatchObject({ kind: 'busy' });
  running.catch(() => undefined);
  await waiting.close();
  await expect(poolOf(1, 60_000, { wait: 600_000, run: 1 }).run({ kind: 'loop' })).rejects.toMatchObject({
    kind: 'busy',
  });
});

it('passes on what a task throws, and runs the next one on another thread', async () => {
  const { run } = poolOf(1, 60_000);
  const first = await run({ kind: 'thread' });
  await expect(run({ kind: 'throw', value: 'broken' })).rejects.toThrow('broken');
  expect(await run({ kind: 'thread' })).not.toBe(first);
});

it('can be closed while a thread is loading', async () => {
  const rejections: unknown[] = [];
  const record = (reason: unknown) => rejections.push(reason);
  process.on('unhandledRejection', record);
  const { getReady, close } = poolOf(1);
  getReady();
  await close();
  await new Promise(resolve => setImmediate(resolve));
  process.off('unhandledRejection', record);
  expect(rejections).toEqual([]);
});

it('fails what is running or waiting when it is closed', async () => {
  const { run, close } = poolOf(1, 60_000);
  const tasks = [run({ kind: 'loop' }), run({ kind: 'echo' })].map(one => one.catch(String));
  await close();
  expect(await Promise.all(tasks)).toEqual([
    expect.stringMatching(/^Error: a thread ended with code [01]$/),
    'Error: the threads are stopping',
  ]);
});
