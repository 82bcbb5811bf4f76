import { expect, it } from 'vitest';
import { inTurns } from './in-turns.ts';

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
