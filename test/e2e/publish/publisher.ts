import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { bundleCommand } from '../../../scripts/bundle-command.ts';

/** How a run of the command ended. */
export interface Ended {
  /** Null if it was killed. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The command as it is published, in a folder of its own. */
export interface Publisher {
  readonly folder: string;
  /** Writes a file below a folder of the publisher. */
  readonly write: (path: string, text: string) => void;
  /** Runs the command in a folder. `begun` gets the process. */
  readonly run: (cwd: string, args: readonly string[], begun?: (child: ChildProcess) => void) => Promise<Ended>;
  readonly remove: () => void;
}

/** Bundles the command. */
export async function createPublisher(): Promise<Publisher> {
  // The bundle finds the packages that it does not contain from inside the repository.
  mkdirSync('node_modules/.cache', { recursive: true });
  const folder = mkdtempSync(resolve('node_modules/.cache/tollgate-publish-'));
  cpSync('packages/cli/bin', join(folder, 'bin'), { recursive: true });
  cpSync('packages/cli/package.json', join(folder, 'package.json'));
  await bundleCommand(join(folder, 'dist/bundle'));
  const command = join(folder, 'bin/tollgate.js');
  return {
    folder,
    write: (path, text) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    run: (cwd, args, begun) => run([command, ...args], join(folder, cwd), begun),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function run(args: readonly string[], cwd: string, begun?: (child: ChildProcess) => void): Promise<Ended> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR };
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', text => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', text => {
    err += text;
  });
  begun?.(child);
  const code = await new Promise<number | null>(done => child.once('close', done));
  return { code, out, err };
}
