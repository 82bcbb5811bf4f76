import { randomUUID } from 'node:crypto';
import { chmod, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { WorldError } from '@tollgate/diagnostics';

/**
 * Replaces what a file holds, whole or not at all: others see the old text or the new one. Keeps its mode, and links that lead
 * to it; makes it where it is missing. Gives the error instead of throwing it: other files may be fine.
 */
export async function replaceFile(path: string, text: string): Promise<WorldError | undefined> {
  try {
    const found = await stat(path).catch(() => undefined);
    // A pipe or a device has nothing that could be replaced.
    if (found && !found.isFile()) await writeFile(path, text);
    else await replace(found ? await realpath(path) : path, text, found?.mode);
    return undefined;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new WorldError('file/unwritable', `cannot write \`${path}\`: ${reason}`, { cause });
  }
}

async function replace(target: string, text: string, mode: number | undefined): Promise<void> {
  const draft = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
  try {
    const file = await open(draft, 'wx');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    if (mode !== undefined) await chmod(draft, mode);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
