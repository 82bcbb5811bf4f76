import { printMessage, type Terminal } from '../../process/terminal.ts';

/** Runs work with a signal that SIGINT and SIGTERM abort. A second one ends the process at once. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>, terminal: Terminal): Promise<T> {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) {
      printMessage(
        terminal,
        'stopped; targets that had begun are old or new, and the next `tollgate apply` says which',
      );
      process.exit(130);
    }
    printMessage(terminal, 'stopping after the targets that have begun; interrupt again to stop immediately');
    controller.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    return await work(controller.signal);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}
