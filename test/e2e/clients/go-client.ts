import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientProgram } from './run-client.ts';

const FOLDER = join(import.meta.dirname, 'go');
const PROGRAM = join(import.meta.dirname, '../../../node_modules/.cache/tollgate-go-client');
const BUILD_TIMEOUT = 5 * 60_000;

/** Builds the Go client's driver, which requires Go and, the first time, a module proxy. Undefined if that is not possible. */
export function goClient(): ClientProgram | undefined {
  mkdirSync(join(PROGRAM, '..'), { recursive: true });
  const build = spawnSync('go', ['build', '-o', PROGRAM, '.'], { cwd: FOLDER, timeout: BUILD_TIMEOUT });
  return build.status === 0 ? { name: 'Go 5.4.1', command: [PROGRAM], env: {} } : undefined;
}
