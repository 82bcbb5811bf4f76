import { closeSync, copyFileSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { ExternalError } from '@tollgate/diagnostics';

/**
 * Restores a backup to the database file of a server, which must not exist yet.
 *
 * @throws ExternalError `store/restore` if the backup is invalid or the file exists
 */
export function restoreBackup(backup: string, path: string): void {
  if (existsSync(path)) throw failure(`\`${path}\` already exists; move it away first`);
  try {
    const database = new DatabaseSync(backup, { readOnly: true });
    const [row] = database.prepare('pragma integrity_check').all();
    const version = database.prepare("select value from meta where key = 'schema'").get();
    database.close();
    if (row?.integrity_check !== 'ok' || version === undefined) throw new Error('its contents are damaged');
    // Only the owner may read the configuration, whatever the mode of the backup.
    closeSync(openSync(path, 'wx', 0o600));
    copyFileSync(backup, path);
  } catch (cause) {
    if (cause instanceof ExternalError) throw cause;
    throw failure(`cannot restore \`${backup}\`: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  }
}

function failure(message: string, cause?: unknown): ExternalError {
  return new ExternalError('store/restore', message, { cause });
}
