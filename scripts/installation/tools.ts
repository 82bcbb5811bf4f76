import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of the tools, below the root. */
export const TOOLS = 'node_modules/.cache/tollgate-runtimes';

/** Commands to run JavaScript and to install packages: a program, and the arguments that come first. */
export interface Tools {
  readonly runtimes: Readonly<Record<string, readonly string[]>>;
  readonly managers: Readonly<Record<string, readonly string[]>>;
  /** Path of Bun. */
  readonly bun: string;
}

/** Exact versions, so that a new release of a tool breaks no build. */
const MANIFEST = join(import.meta.dirname, 'tools.json');

/** Installs the tools into a folder, once for each manifest; `scripts/install-test-tools.sh` does the same. */
export function installTools(folder: string): Tools {
  const modules = join(folder, 'node_modules');
  const installed = join(folder, 'installed.json');
  const manifest = readFileSync(MANIFEST, 'utf8');
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== manifest) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), manifest);
    execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
    writeFileSync(installed, manifest);
  }
  const node = process.execPath;
  const oldest = join(modules, '.bin/node');
  const bun = join(modules, '.bin/bun');
  return {
    bun,
    runtimes: {
      [`Node ${process.versions.node}`]: [node],
      'Node 22.16': [oldest],
      Bun: [bun],
      Deno: [join(modules, '.bin/deno'), 'run', '--allow-all'],
    },
    managers: {
      npm: ['npm', 'install', '--no-audit', '--no-fund'],
      pnpm: [node, join(modules, 'pnpm/bin/pnpm.cjs'), 'add'],
      yarn: [node, join(modules, '@yarnpkg/cli-dist/bin/yarn.js'), 'add'],
      bun: [bun, 'add'],
    },
  };
}
