import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

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

/** What the editor shows of a file. */
export interface ShownText {
  readonly path: string;
  readonly text: string;
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
  /** What the editor shows of files that it has not saved: the command reads this instead. */
  readonly shown?: readonly ShownText[];
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
export async function runTollgate({ shown = [], ...run }: TollgateRun): Promise<TollgateResult> {
  if (shown.length === 0) return await start(run);
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-shown-'));
  try {
    for (const { path, text } of shown)
      writeFileSync(join(directory, createHash('sha256').update(resolve(path)).digest('hex')), text);
    return await start({ ...run, env: { ...run.env, TOLLGATE_UNSAVED: directory } });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function start({ script, args, directory, env, input, signal }: Omit<TollgateRun, 'shown'>): Promise<TollgateResult> {
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
