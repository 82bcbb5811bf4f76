import { BrowserMessageReader, BrowserMessageWriter } from 'vscode-languageserver-protocol/browser';
import type { Transport } from './host.ts';

/** Returns the way to the page that has started this worker. Messages are the objects of the protocol, not their text. */
export function workerTransport(worker: DedicatedWorkerGlobalScope): Transport {
  // A timer would wait for 4 ms.
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return {
    reader: new BrowserMessageReader(worker),
    writer: new BrowserMessageWriter(worker),
    afterInput: () =>
      new Promise(resolve => {
        waiting.push(resolve);
        port2.postMessage(undefined);
      }),
    // A page ends its workers.
    onEnd: () => {},
    end: () => worker.close(),
  };
}
