import { setImmediate as nextTurn } from 'node:timers/promises';

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
