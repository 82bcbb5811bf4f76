// A thread that asks a server for its health until it receives a message; then it sends how many milliseconds each response took.

import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const port = parentPort;
const { url } = workerData as { readonly url: string };
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const times: number[] = [];
let isDone = false;
port?.once('message', () => {
  isDone = true;
});
while (!isDone) {
  const begin = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  get(`${url}/healthz`, { agent }, response => response.resume().once('end', resolve)).once('error', reject);
  await promise;
  times.push(performance.now() - begin);
  await pause(2);
}
agent.destroy();
port?.postMessage(times);
