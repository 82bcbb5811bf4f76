import { Worker } from 'node:worker_threads';
import type { CheckThread } from '@tollgate/language-server';
import type { Terminal } from '../process/terminal.ts';

/** Starts a thread that lints and formats for the language server. */
export function startCheckThread({ env }: Pick<Terminal, 'env'>): CheckThread {
  // In a clone, packages run from source; in a bundle, the thread's file is next to this one.
  const isSource = import.meta.url.endsWith('.ts');
  const worker = new Worker(new URL(`./check-thread${isSource ? '.ts' : '.cjs'}`, import.meta.url), {
    workerData: { env },
    execArgv: isSource ? ['--conditions=tollgate-source'] : [],
    resourceLimits: THREAD_LIMITS,
  });
  // The server must end although the thread waits for messages.
  worker.unref();
  return {
    post: message => worker.postMessage(message),
    onMessage: listen => worker.on('message', listen),
    onEnd: listen => {
      worker.on('error', () => {});
      worker.on('exit', listen);
    },
    end: () => void worker.terminate(),
  };
}

/** With the young generation of a main thread, the garbage of one analysis would stay for long. */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 2048 };
