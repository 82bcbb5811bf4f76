import { expect, it } from 'vitest';
import { inTurns, Turns } from './turns.ts';

it('is due once the work has taken a while, and lets other work run', async () => {
  let time = 0;
  const turns = new Turns(undefined, () => time);
  time = 10;
  expect(turns.areDue).toBe(false);
  time = 11;
  expect(turns.areDue).toBe(true);
  let hasRun = false;
  setImmediate(() => {
    hasRun = true;
  });
  await turns.next();
  expect([turns.areDue, hasRun]).toEqual([false, true]);
});

it('ends work that is stopped', async () => {
  const controller = new AbortController();
  setImmediate(() => controller.abort(new Error('enough')));
  await expect(new Turns(controller.signal).next()).rejects.toThrow('enough');
});

const ITEMS = Array.from({ length: 10_000 }, (_, index) => index);

it('yields all items in their order, and lets other work run between parts', async () => {
  const found: number[] = [];
  let turns = 0;
  let hasEnded = false;
  const count = () => {
    turns++;
    if (!hasEnded) setImmediate(count);
  };
  setImmediate(count);
  for await (const part of inTurns(ITEMS, undefined)) found.push(...part);
  hasEnded = true;
  expect(found).toEqual(ITEMS);
  expect(turns).toBeGreaterThanOrEqual(4);
});

it('ends when it is stopped', async () => {
  const controller = new AbortController();
  const work = async () => {
    for await (const _ of inTurns(ITEMS, controller.signal)) controller.abort(new Error('enough'));
  };
  await expect(work()).rejects.toThrow('enough');
});
