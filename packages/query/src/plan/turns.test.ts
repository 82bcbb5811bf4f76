import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

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
