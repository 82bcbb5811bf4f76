import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Which `tollgate` command serves the editor. */
export interface ChosenCommand {
  /** Path of the script that Node runs. */
  readonly script: string;
  readonly origin: 'bundled' | 'workspace';
}

/** What the choice depends on. */
interface CommandChoice {
  /** Value of the setting `tollgate.server`. */
  readonly setting: string;
  readonly isTrusted: boolean;
  /** Path of the script that comes with the extension. */
  readonly bundled: string;
  /** Paths of the workspace folders. */
  readonly folders: readonly string[];
  readonly exists: (path: string) => boolean;
}

/** Returns the command that the setting asks for. A script of the workspace is code, and runs only if the workspace is trusted. */
export function chooseCommand({ setting, isTrusted, bundled, folders, exists }: CommandChoice): ChosenCommand {
  const installed = folders.map(folder => join(folder, 'node_modules', '@tollgate', 'cli', 'bin', 'tollgate.js'));
  const script = setting === 'workspace' && isTrusted ? installed.find(exists) : undefined;
  return script === undefined ? { script: bundled, origin: 'bundled' } : { script, origin: 'workspace' };
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Returns the environment for running `tollgate` with the editor's own Node. An untrusted workspace runs no code of its own, whatever the user
 * has trusted elsewhere; a trusted one needs no further permission.
 */
export function commandEnvironment(env: Env, isTrusted: boolean): Record<string, string> {
  const { NODE_OPTIONS: _, VSCODE_INSPECTOR_OPTIONS: __, ...rest } = env;
  const given = Object.entries(rest).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return { ...Object.fromEntries(given), ELECTRON_RUN_AS_NODE: '1', TOLLGATE_TRUST: isTrusted ? '1' : '0' };
}

/** How to run `tollgate`. */
interface TollgateRun {
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
