/**
 * A place to work in as a user does: a home of its own, a Git repository that is not this one, the packed command installed in it, and Node in a
 * third place, which is a Git repository, too. Commands run in a real shell.
 */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '../architecture/source-file.ts';
import { installedCommand } from './installed-command.ts';

/** What a script printed, on both streams in order, and how it ended. */
export interface Printed {
  readonly code: number;
  readonly text: string;
}

/** A repository with the command, in which scripts run. */
export interface Workplace {
  /** The repository. */
  readonly directory: string;
  /** Writes a file of the repository. */
  readonly write: (name: string, content: string | Uint8Array) => void;
  readonly read: (name: string) => string;
  /** Runs a script in a real shell; `folder` is relative to the repository. Ends everything that the script has started. */
  readonly shell: (script: string, folder?: string) => Promise<Printed>;
  /** Makes another repository with the command and the same home. */
  readonly fresh: () => Workplace;
  readonly remove: () => void;
}

/** Makes a place to work in. Packing and installing takes a few seconds. */
export async function createWorkplace(): Promise<Workplace> {
  const base = mkdtempSync(join(tmpdir(), 'tollgate-work-'));
  const env = { PATH: `${nodeElsewhere(base)}:${process.env.PATH}`, HOME: join(base, 'home'), LC_ALL: 'C.UTF-8' };
  mkdirSync(env.HOME);
  run(base, env, 'git', 'config', '--global', 'user.name', 'A User');
  run(base, env, 'git', 'config', '--global', 'user.email', 'user@shop.example');
  run(base, env, 'git', 'config', '--global', 'init.defaultBranch', 'main');
  const installed = join(base, 'installed');
  mkdirSync(installed);
  // As `npm init` writes it.
  const manifest = { name: 'shop', private: true, version: '1.0.0', type: 'commonjs' };
  writeFileSync(join(installed, 'package.json'), JSON.stringify(manifest));
  const tarball = packCommand(base, env, dirname(dirname(await installedCommand())));
  run(installed, env, 'npm', 'install', '--offline', '--no-audit', '--no-fund', '--silent', '--save-dev', tarball);
  return workplaceIn(base, env, 0);
}

function workplaceIn(base: string, env: NodeJS.ProcessEnv, number: number): Workplace {
  const directory = join(base, `shop-${number}`);
  cpSync(join(base, 'installed'), directory, { recursive: true, verbatimSymlinks: true });
  run(directory, env, 'git', 'init', '--quiet');
  writeFileSync(join(directory, '.gitignore'), 'node_modules\n');
  let count = number;
  return {
    directory,
    write: (name, content) => {
      mkdirSync(dirname(join(directory, name)), { recursive: true });
      writeFileSync(join(directory, name), content);
    },
    read: name => readFileSync(join(directory, name), 'utf8'),
    shell: (script, folder = '.') => shell(join(directory, folder), env, script),
    fresh: () => workplaceIn(base, env, ++count),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

/** Puts Node into a Git repository that has nothing to do with the work. */
function nodeElsewhere(base: string): string {
  const folder = join(base, 'tools/bin');
  mkdirSync(folder, { recursive: true });
  try {
    linkSync(process.execPath, join(folder, 'node'));
  } catch {
    cpSync(process.execPath, join(folder, 'node'));
  }
  execFileSync('git', ['init', '--quiet', join(base, 'tools')]);
  return folder;
}

/** Packs the bundled command as npm would publish it, and returns the tarball. */
function packCommand(base: string, env: NodeJS.ProcessEnv, command: string): string {
  const folder = join(base, 'command');
  mkdirSync(folder);
  const { name, version, bin, type } = JSON.parse(readFileSync(join(command, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version, bin, type, files: ['bin', 'dist'] }));
  for (const part of ['bin', 'dist/bundle']) cpSync(join(command, part), join(folder, part), { recursive: true });
  cpSync(join(ROOT, 'packages/cli/README.md'), join(folder, 'README.md'));
  return join(base, run(base, env, 'npm', 'pack', '--silent', folder).trim());
}

function run(cwd: string, env: NodeJS.ProcessEnv, program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { cwd, env, encoding: 'utf8' });
}

function shell(cwd: string, env: NodeJS.ProcessEnv, script: string): Promise<Printed> {
  const child = spawn('bash', ['-c', `exec 2>&1\n${script}`], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => void chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    // What still runs in the background, such as a server, is in the group of the shell.
    child.on('exit', () => endGroup(child.pid!));
    child.on('close', code => resolve({ code: code ?? -1, text: Buffer.concat(chunks).toString('utf8') }));
  });
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing was left.
  }
}
