import { rmSync } from 'node:fs';

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
