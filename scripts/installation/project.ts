import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The result of a command that ran to its end. */
export interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** An empty project in a temporary folder. */
export interface Project {
  readonly folder: string;
  readonly run: (command: readonly string[], ...args: readonly string[]) => Ended;
  /** Like `run`, but throws if the command fails. */
  readonly must: (command: readonly string[], ...args: readonly string[]) => string;
}

/** Calls `use` with an empty project, which is removed afterwards. */
export function inProject<T>(use: (project: Project) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-installation-'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const run: Project['run'] = ([command = '', ...first], ...args) => {
    // A home of its own: no settings and caches of the user, apart from where npm finds packages.
    const env = { ...process.env, XDG_CACHE_HOME: join(folder, '.cache'), NO_COLOR: '1', YARN_ENABLE_TELEMETRY: '0' };
    const { status, stdout, stderr } = spawnSync(command, [...first, ...args], { cwd: folder, env, encoding: 'utf8' });
    return { status, out: stdout ?? '', err: stderr ?? '' };
  };
  const must: Project['must'] = (command, ...args) => {
    const { status, out, err } = run(command, ...args);
    if (status !== 0) throw new Error(`${[...command, ...args].join(' ')} ended with ${status}: ${err}${out}`);
    return out;
  };
  try {
    return use({ folder, run, must });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
