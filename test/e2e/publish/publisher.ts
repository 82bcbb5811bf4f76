import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { installedCommand } from '../../support/installed-command.ts';

/** How a run of the command ended. */
interface Ended {
  /** Null if it was killed. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The installed command, and a folder for projects. */
export interface Publisher {
  readonly folder: string;
  /** Writes a file below a folder of the publisher. */
  readonly write: (path: string, text: string) => void;
  /** Runs the command in a folder. `begun` gets the process. */
  readonly run: (cwd: string, args: readonly string[], begun?: (child: ChildProcess) => void) => Promise<Ended>;
  readonly remove: () => void;
}

export async function createPublisher(): Promise<Publisher> {
  const command = await installedCommand();
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-publish-'));
  return {
    folder,
    write: (path, text) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    run: (cwd, args, begun) => run([command, ...args], { cwd: join(folder, cwd), home: join(folder, 'home') }, begun),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

interface Place {
  readonly cwd: string;
  readonly home: string;
}

async function run(
  args: readonly string[],
  { cwd, home }: Place,
  begun?: (child: ChildProcess) => void,
): Promise<Ended> {
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: process.env.TMPDIR, TOLLGATE_TRUST: '1' };
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
