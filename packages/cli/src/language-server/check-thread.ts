// The thread that checks policies for the language server.

import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { InternalError } from '@tollgate/diagnostics';
import { serveChecks } from '@tollgate/language-server';
import type { Terminal } from '../process/terminal.ts';
import { createHost } from './host.ts';

// Runs in a thread: lints and formats the documents of the language server.

const port = parentPort;
if (port === null) throw new InternalError('not in a thread');

lowerPriority();

const { env } = workerData as Pick<Terminal, 'env'>;
const terminal: Terminal = {
  env,
  // Standard output belongs to the protocol, and the server itself reports what settings are wrong.
  write: () => {},
  writeError: () => {},
  readInput: async () => new Uint8Array(),
  isInteractive: false,
};
serveChecks(createHost(terminal), {
  post: message => port.postMessage(message),
  onMessage: listen => port.on('message', listen),
});

/**
 * Lets the thread that answers requests go first where there are fewer processors than threads: completion then does not wait for lint rules.
 * On Linux, a priority is that of a thread; elsewhere it would be that of the process.
 */
function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not every container allows it.
  }
}
