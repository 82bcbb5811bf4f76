import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** A server in a process of its own. */
export interface ServedProcess {
  readonly url: string;
  /** From the start of the process to its first answer, in milliseconds. */
  readonly startUp: number;
  /** What of it the process has worked, all threads together, in milliseconds: on a busy machine it waits as well. */
  readonly startWork: number;
  /** Resident memory now, in megabytes. */
  readonly memory: () => number;
  /** What the process has worked so far, all threads together, in milliseconds. */
  readonly processorTime: () => number;
  readonly signal: (name: NodeJS.Signals) => void;
  readonly stop: () => Promise<void>;
}

/** Runs Node with the arguments; the server says where it is in a line that ends with ` at <url>`. */
export async function serveProcess(
  args: readonly string[],
  probe: string,
  env: NodeJS.ProcessEnv = {},
): Promise<ServedProcess> {
  const start = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, ...env } });
  const url = await firstUrl(child);
  await (await fetch(`${url}${probe}`)).text();
  const startUp = performance.now() - start;
  return {
    url,
    startUp,
    startWork: processorTime(child.pid ?? 0),
    memory: () => residentMegabytes(child),
    processorTime: () => processorTime(child.pid ?? 0),
    signal: name => child.kill(name),
    stop: () => stopped(child),
  };
}

async function firstUrl(child: ChildProcess): Promise<string> {
  return await new Promise((resolve, reject) => {
    createInterface(child.stdout!).on('line', line => {
      const found = / at (http:\S+)$/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', code => reject(new Error(`the server ended with ${code}`)));
  });
}

function residentMegabytes({ pid }: ChildProcess): number {
  const [, kilobytes = 'NaN'] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** Returns what a process has worked so far, all threads together, in milliseconds: the 14th and 15th field, in hundredths of a second. */
export function processorTime(pid: number | 'self'): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function stopped(child: ChildProcess): Promise<void> {
  const exit = new Promise(resolve => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exit;
}
