import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { WorldError } from '@tollgate/diagnostics';

/** Writes a file anew, whole or not at all, with the permissions that it had. Throws a {@link WorldError} where that fails. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    const { mode } = await stat(path);
    await writeFile(temporary, text, { mode });
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true });
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new WorldError('file/unwritable', `cannot write \`${path}\`: ${reason}`, { cause });
  }
}
