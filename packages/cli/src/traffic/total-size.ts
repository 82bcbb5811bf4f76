import { stat } from 'node:fs/promises';

/** Returns the size of all files together in bytes; undefined if one has no size, such as a pipe. */
export async function totalSize(files: readonly string[]): Promise<number | undefined> {
  let sum = 0;
  for (const file of files) {
    const stats = file === '-' ? undefined : await stat(file).catch(() => undefined);
    if (stats?.isFile() !== true) return undefined;
    sum += stats.size;
  }
  return sum;
}
