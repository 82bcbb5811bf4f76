import { existsSync, rmSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { ExternalError } from '@tollgate/diagnostics';

/** Copies an SQLite file, including its log, to a new file while other processes read and write. */
export async function backUp(path: string, target: string): Promise<void> {
  if (existsSync(target))
    throw new ExternalError('store/backup', `\`${target}\` already exists; choose another file name`);
  const source = new DatabaseSync(path, { readOnly: true });
  try {
    await backup(source, target);
  } catch (cause) {
    rmSync(target, { force: true });
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ExternalError('store/backup', `cannot write the backup \`${target}\`: ${reason}`, { cause });
  } finally {
    source.close();
  }
}
