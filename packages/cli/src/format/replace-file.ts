import { randomUUID } from 'node:crypto';
import { chmod, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { WorldError } from '@tollgate/diagnostics';

/**
 * Replaces what a file holds, whole or not at all: others see the old text or the new one. Keeps its mode, and links that lead
 * to it. Gives the error instead of throwing it: other files may be fine.
 */
export async function replaceFile(path: string, text: string): Promise<WorldError | undefined> {
  try {
    const target = await realpath(path);
    const { mode } = await stat(target);
    await replace(target, text, mode);
    return undefined;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new WorldError('file/unwritable', `cannot write \`${path}\`: ${reason}`, { cause });
  }
}

async function replace(target: string, text: string, mode: number): Promise<void> {
  const draft = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
  try {
    const file = await open(draft, 'wx');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await chmod(draft, mode);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
