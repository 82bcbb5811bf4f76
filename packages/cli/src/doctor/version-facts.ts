import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROFILES, SOURCE_DATES } from '@tollgate/catalog';
import { tryGit } from '../git/run-git.ts';
import { VERSION } from '../process/version.ts';
import type { DoctorFact } from './doctor-report.ts';

/** Returns the versions of the command, of what it runs on, and of its catalog. */
export function versionFacts(): readonly DoctorFact[] {
  const command = process.argv[1] ?? process.execPath;
  const git = tryGit(dirname(process.execPath), ['--version'])?.replace(/^git version /, '');
  return [
    { name: 'tollgate', value: VERSION, from: `${command}${isClone(command) ? ', a clone' : ''}` },
    { name: runtimeName(), value: runtimeVersion(), from: process.execPath },
    { name: 'platform', value: `${process.platform} ${process.arch}` },
    git === undefined
      ? { name: 'git', value: 'not found; `--changed` and `--staged` need it' }
      : { name: 'git', value: git },
    ...PROFILES.map(({ name }) => ({ name, value: `catalog data of ${SOURCE_DATES[name]}` })),
  ];
}

function isClone(command: string): boolean {
  return existsSync(join(dirname(command), '../src/main.ts'));
}

function runtimeName(): string {
  const { bun, deno } = process.versions;
  if (bun !== undefined) return 'Bun';
  return deno === undefined ? 'Node' : 'Deno';
}

function runtimeVersion(): string {
  const { bun, deno, node } = process.versions;
  return bun ?? deno ?? node;
}
