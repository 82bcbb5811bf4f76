import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of Linux that is kept in memory. */
const MEMORY = '/dev/shm';

/** Creates a folder for databases, in memory where possible: a database waits for its disk at each commit. */
export function memoryFolder(prefix: string): string {
  return mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), prefix));
}
