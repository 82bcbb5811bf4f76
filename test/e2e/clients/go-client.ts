import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientProgram } from './run-client.ts';

const FOLDER = join(import.meta.dirname, 'go');
const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/tollgate-go-clients');
const BUILD_TIMEOUT = 5 * 60_000;
const VERSION = /ngrok-api-go\/v(\d+) v(\S+)/g;

/** Builds a driver for each major version of the Go client in `go.mod`, which requires Go and, the first time, a module proxy. */
export function goClients(): readonly ClientProgram[] {
  const versions = [...readFileSync(join(FOLDER, 'go.mod'), 'utf8').matchAll(VERSION)];
  return versions.flatMap(([, major = '', version = '']) => {
    const program = build(major);
    return program === undefined ? [] : [{ name: `Go ${version}`, command: [program] as const, env: {} }];
  });
}

/** Returns the path of the driver; undefined if it cannot be built. The sources are for version 5. */
function build(major: string): string | undefined {
  const folder = join(CACHE, `v${major}`);
  mkdirSync(folder, { recursive: true });
  for (const file of ['go.mod', 'go.sum']) copyFileSync(join(FOLDER, file), join(folder, file));
  for (const file of readdirSync(FOLDER).filter(name => name.endsWith('.go'))) {
    const source = readFileSync(join(FOLDER, file), 'utf8');
    writeFileSync(join(folder, file), source.replaceAll('ngrok-api-go/v5', `ngrok-api-go/v${major}`));
  }
  const tags = Number(major) > 5 ? ['-tags', 'traffic_policy'] : [];
  const { status } = spawnSync('go', ['build', ...tags, '-o', 'client', '.'], { cwd: folder, timeout: BUILD_TIMEOUT });
  return status === 0 ? join(folder, 'client') : undefined;
}
