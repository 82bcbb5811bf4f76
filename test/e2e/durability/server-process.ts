import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A server in its own process. */
export interface ServerProcess {
  readonly url: string;
  /** Kills it, as a power failure would from the point of view of the process. */
  readonly kill: () => Promise<void>;
  /** Asks it to stop. */
  readonly stop: () => Promise<void>;
}

/** How to start a server. */
export interface ServerStart {
  /** Path of the command. */
  readonly command: string;
  readonly database: string;
  readonly secretKey: string;
  readonly eventsFolder: string;
}

const FLAGS = ['--port', '0', '--rate-limit', '0', '--log-level', 'silent'];

/** Starts a server, and returns it once it responds. */
export async function startServerProcess(start: ServerStart): Promise<ServerProcess> {
  const { command, database, secretKey, eventsFolder } = start;
  const args = [command, 'serve', ...FLAGS, '--database', database, '--events-folder', eventsFolder];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { TOLLGATE_SECRET_KEY: secretKey, TMPDIR: process.env.TMPDIR },
  });
  const url = await listening(child);
  const ended = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  };
  return { url, kill: () => ended('SIGKILL'), stop: () => ended('SIGTERM') };
}

async function listening(child: ChildProcess): Promise<string> {
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', text => {
    errors += text;
  });
  return await new Promise((resolve, reject) => {
    child.once('exit', code => reject(new Error(`the server ended with ${code}: ${errors}`)));
    createInterface(child.stdout!).on('line', line => {
      const found = /^Edge Configuration API at (\S+)$/.exec(line);
      if (found) resolve(found[1]!);
    });
  });
}
