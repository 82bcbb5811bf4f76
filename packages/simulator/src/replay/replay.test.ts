import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { untilStopped } from './replay.ts';

async function* values(): AsyncGenerator<{ readonly number: number }> {
  for (let number = 0; number < 10; number++) yield { number };
}

it.each([undefined, new AbortController().signal])('yields all values unless it is stopped', async stop => {
  const found: number[] = [];
  for await (const { number } of untilStopped(values(), stop)) found.push(number);
  expect(found).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

it('does not wait for a value that never comes', async () => {
  const controller = new AbortController();
  const never = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) };
  setImmediate(() => controller.abort());
  for await (const _ of untilStopped(never, controller.signal)) expect.unreachable();
  expect(controller.signal.aborted).toBe(true);
});

it('throws what the source throws', async () => {
  const failing = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('no')) }) };
  const read = async () => {
    for await (const _ of untilStopped(failing, new AbortController().signal)) expect.unreachable();
  };
  await expect(read()).rejects.toThrow('no');
});

it('keeps no value but the last', async () => {
  const seen: WeakRef<object>[] = [];
  for await (const value of untilStopped(values(), new AbortController().signal)) {
    seen.push(new WeakRef(value));
    // References stay alive until the end of a turn.
    await new Promise(setImmediate);
    if (seen.length < 10) continue;
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    collect();
  }
  expect(seen).toHaveLength(10);
  expect(seen.filter(one => one.deref() !== undefined).length).toBeLessThanOrEqual(2);
});
