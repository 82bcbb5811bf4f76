import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Platforms for which Bun compiles executables. */
export const TARGETS: readonly string[] = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'windows-x64'];

/** What to build, and where. */
interface ExecutableBuild {
  readonly target: string;
  /** Path of Bun. */
  readonly bun: string;
  readonly root: string;
  readonly out: string;
}

/** Compiles the bundle, which must be up to date, and returns the path of the executable. */
export function buildExecutable({ target, bun, root, out }: ExecutableBuild): string {
  const file = join(out, `tollgate-${target}${target.startsWith('windows') ? '.exe' : ''}`);
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-executable-'));
  try {
    const entry = join(folder, 'entry.cjs');
    const bundle = join(root, 'packages/cli/dist/bundle/main.cjs');
    writeFileSync(entry, `require(${JSON.stringify(bundle)}).runCommandLine(process);\n`);
    const external = ['@duckdb/node-api', 'pg-native'].flatMap(name => ['--external', name]);
    execFileSync(bun, ['build', '--compile', `--target=bun-${target}`, ...external, '--outfile', file, entry], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
  return file;
}
