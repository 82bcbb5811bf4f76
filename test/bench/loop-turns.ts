// Preloaded into a server: after SIGUSR2, measures each turn of its event loop, and when it ends, writes the longest in milliseconds of
// processor time to the file that TOLLGATE_BENCH_TURNS names.

import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env.TOLLGATE_BENCH_TURNS;
/** In milliseconds. Two looks are as far apart if nothing keeps the event loop. */
const PAUSE = 1;

if (isMainThread && file !== undefined) {
  let longest = 0;
  const look = (): void => {
    const before = process.threadCpuUsage();
    setTimeout(() => {
      const { user, system } = process.threadCpuUsage(before);
      longest = Math.max(longest, (user + system) / 1000);
      look();
    }, PAUSE).unref();
  };
  process.once('SIGUSR2', look);
  process.once('exit', () => writeFileSync(file, String(longest)));
}
