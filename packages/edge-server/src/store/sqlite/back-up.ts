import { closeSync, openSync, rmSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { ExternalError } from '@tollgate/diagnostics';

/** Copies an SQLite file, including its log, to a new file that only its owner can read, while other processes read and write. */
export async function backUp(path: string, target: string): Promise<void> {
  makePrivate(target);
  const source = new DatabaseSync(path, { readOnly: true });
  try {
    await backup(source, target);
  } catch (cause) {
    rmSync(target, { force: true });
    throw cannotWrite(target, cause);
  } finally {
    source.close();
  }
}

function makePrivate(target: string): void {
  try {
    closeSync(openSync(target, 'wx', 0o600));
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') {
      throw new ExternalError('store/backup', `\`${target}\` already exists; choose another file name`);
    }
    throw cannotWrite(target, cause);
  }
}

function cannotWrite(target: string, cause: unknown): ExternalError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ExternalError('store/backup', `cannot write the backup \`${target}\`: ${reason}`, { cause });
}
