// Runs this command again, in a process of its own: for editors and assistants, whose server must go on whatever a command does.

import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** How to run the command. */
export interface OwnCommandOptions {
  /** In addition to the variables of this process; undefined removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The process is ended when it is aborted. */
  readonly signal: AbortSignal;
}

/** What a run of the command gave. */
export interface OwnCommandRun {
  /** Undefined if the run was stopped. */
  readonly code: number | undefined;
  readonly output: string;
  readonly errors: string;
}

/** Runs this command, without input. */
export async function runOwnCommand(
  args: readonly string[],
  { env = {}, signal }: OwnCommandOptions,
): Promise<OwnCommandRun> {
  const [, program = ''] = process.argv;
  // An executable contains its program.
  const isContained = /^(?:\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/.test(program);
  const child = spawn(process.execPath, [...(isContained ? [] : [program]), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
    env: { ...process.env, ...env },
  });
  const ended = new Promise<number | undefined>(resolve => {
    child.on('error', () => resolve(undefined));
    child.on('close', code => resolve(code ?? undefined));
  });
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, output, errors };
}
