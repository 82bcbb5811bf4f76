import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits until `holds` returns true, for what no event announces: another process, a file, a counter. How long that takes
 * never decides a test; what never holds runs into the time limit of all tests.
 */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(20);
}
