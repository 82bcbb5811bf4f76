/** Commands as processes of their own: how long they take, and the memory that they hold. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';

const BUNDLE = join(import.meta.dirname, '../../packages/cli/dist/bundle');
/** As the published command starts. */
const START = `const directory = ${JSON.stringify(BUNDLE)}; require(directory + '/start.cjs').startBundle({ process, directory, require })`;

/** Returns the command line of a command of Tollgate. */
export const tollgate = (...args: readonly string[]) => [process.execPath, '-e', START, '--', 'tollgate', ...args];

/** The command is measured as it is published. */
export function requireBundle(): void {
  if (!existsSync(BUNDLE)) throw new Error('`npm run build` first: the command is measured as it is published');
}

/** A finished process. */
export interface Run {
  readonly seconds: number;
  /** Processor time in seconds. */
  readonly cpu: number;
  readonly megabytes: number;
  readonly output: string;
}

/** Times of a process, and the most memory that it held, as the kernel says at its end. */
export async function runOnce({ command }: { readonly command: readonly string[] }): Promise<Run> {
  const start = performance.now();
  const timed = ['-f', '%M %U %S', ...command];
  const child: ChildProcess = spawn('/usr/bin/time', timed, { stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  child.stdout?.on('data', text => {
    output += text;
  });
  child.stderr?.on('data', text => {
    errors += text;
  });
  const status = await new Promise(resolve => child.on('close', resolve));
  if (status !== 0) throw new Error(`${command.join(' ')}: ${errors}`);
  const [kilobytes = 0, user = 0, system = 0] = errors.trim().split('\n').at(-1)!.split(' ').map(Number);
  return { seconds: (performance.now() - start) / 1000, cpu: user + system, megabytes: kilobytes / 1024, output };
}

/** The loop that is to be reached, in a process of its own as all others. */
export async function parseLines(file: string): Promise<number> {
  let [rest, count, statuses] = ['', 0, 0];
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 256 * 1024 })) {
    const text: string = rest + chunk;
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      const record: { readonly status: number } = JSON.parse(text.slice(start, end));
      statuses += record.status;
      count++;
      start = end + 1;
    }
    rest = text.slice(start);
  }
  return statuses > 0 ? count : 0;
}
