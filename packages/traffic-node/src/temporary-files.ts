/** Temporary files and folders, which are removed at the end of the process, or by a later one. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Removes a temporary file or folder when the process ends or is interrupted. A signal without other listeners then ends the process as
 * it would have done.
 *
 * @returns a function that cancels the removal, once the file was renamed or removed
 */
export function removeAtEnd(path: string): () => void {
  const remove = () => rmSync(path, { recursive: true, force: true });
  const stop = () => {
    process.off('exit', remove);
    for (const signal of SIGNALS) process.off(signal, interrupted);
  };
  const interrupted = (signal: NodeJS.Signals) => {
    remove();
    stop();
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  process.on('exit', remove);
  for (const signal of SIGNALS) process.on(signal, interrupted);
  return stop;
}

/** A temporary folder. */
export interface TemporaryFolder {
  readonly path: string;
  readonly remove: () => void;
}

/**
 * Creates a folder that is removed at the end of the process. Removes those of processes on this host that were killed: they contain records, and
 * nobody else removes them. Throws system errors.
 */
export function temporaryFolder(kind: 'query' | 'table'): TemporaryFolder {
  const start = `tollgate-${kind}-${hostname().replace(/[^\w.]/g, '_')}-`;
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(start) ? /^(\d+)-/.exec(name.slice(start.length))?.[1] : undefined;
    // Another user's folder stays.
    if (pid !== undefined && !isRunning(Number(pid))) removeIfAllowed(join(tmpdir(), name));
  }
  const path = mkdtempSync(join(tmpdir(), `${start}${process.pid}-`));
  const stopGuard = removeAtEnd(path);
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true });
      stopGuard();
    },
  };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function removeIfAllowed(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Its owner may remove it.
  }
}
