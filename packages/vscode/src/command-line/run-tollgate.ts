import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';

/** How to run `tollgate`. */
export interface TollgateRun {
  readonly script: string;
  readonly args: readonly string[];
  /** Settings are looked for from here upward. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  /** Content of standard input. */
  readonly input?: string;
  readonly signal?: AbortSignal;
}

/** What a run printed. */
export interface TollgateResult {
  /** Exit code; undefined if the process was stopped. */
  readonly code: number | undefined;
  readonly output: string;
  readonly errors: string;
}

/** Runs the `tollgate` command without a shell. Rejects only if it cannot be started. */
export function runTollgate({ script, args, directory, env, input, signal }: TollgateRun): Promise<TollgateResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { cwd: directory, env, stdio: 'pipe', windowsHide: true });
    const [output, errors]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    const stop = () => child.kill();
    signal?.addEventListener('abort', stop, { once: true });
    child.once('error', reject);
    child.once('close', code => {
      signal?.removeEventListener('abort', stop);
      resolve({
        code: code ?? undefined,
        output: Buffer.concat(output).toString('utf8'),
        errors: Buffer.concat(errors).toString('utf8'),
      });
    });
    // A command that does not read its input closes it.
    child.stdin.on('error', () => {});
    child.stdin.end(input ?? '');
  });
}
