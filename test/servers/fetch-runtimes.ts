import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { eventually } from '../support/eventually.ts';
import { accepts, freePort } from './log-servers.ts';

// The runtimes of `fetch` handlers: that of Cloudflare's workers, Bun and Deno.

const PROGRAMS = join(import.meta.dirname, '../../node_modules/.cache/tollgate-runtimes/node_modules/.bin');

/** Runtimes that can be installed from npm. */
export const RUNTIMES = ['workerd', 'bun', 'deno'] as const;

export type RuntimeName = (typeof RUNTIMES)[number];

/** Returns true if a runtime is installed; `scripts/install-test-tools.sh` installs all of them. */
export function hasRuntime(name: RuntimeName): boolean {
  try {
    execFileSync(join(PROGRAMS, name), ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A runtime that serves. */
export interface RunningRuntime {
  readonly port: number;
  stop(): void;
}

/** Writes what handles requests, and a server for each runtime. The modules of the policies are `policy-0.js` and so on. */
export async function writeWorker(folder: string, modules: readonly string[], handler: string): Promise<void> {
  const { outputFiles } = await build({
    stdin: { contents: `export { fetchHandler } from '@tollgate/enforce/fetch';`, resolveDir: import.meta.dirname },
    ...{
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'neutral',
      mainFields: ['module', 'main'],
      target: 'es2022',
    },
    ...{ conditions: ['tollgate-source'], logLevel: 'error' },
  });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('fetch.js', outputFiles[0]!.text);
  for (const [at, code] of modules.entries()) write(`policy-${at}.js`, code);
  const imports = modules.map((_, at) => `import * as policy${at} from './policy-${at}.js';\n`).join('');
  const all = `const modules = [${modules.map((_, at) => `policy${at}`).join(', ')}];\n`;
  write('handle.js', `import { fetchHandler } from './fetch.js';\n${imports}${all}${handler}`);
  write('worker.js', `import { handle } from './handle.js';\nexport default { fetch: handle };\n`);
}

/** Starts a runtime on a free port of the loopback interface. */
export async function startRuntime(name: RuntimeName, folder: string, count: number): Promise<RunningRuntime> {
  const port = await freePort();
  const child = spawn(join(PROGRAMS, name), argumentsFor(name, folder, { port, count }), {
    cwd: folder,
    // Nothing is fetched or kept elsewhere.
    env: { ...process.env, DENO_DIR: join(folder, 'deno'), DENO_NO_UPDATE_CHECK: '1', HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await reachable(port, child);
  return { port, stop: () => void child.kill('SIGKILL') };
}

async function reachable(port: number, child: ChildProcess): Promise<void> {
  let errors = '';
  child.stderr!.on('data', text => {
    errors += text;
  });
  await eventually(() => child.exitCode !== null || accepts(port));
  if (child.exitCode !== null) throw new Error(`the runtime has ended: ${errors}`);
}

interface Server {
  readonly port: number;
  /** The number of policies. */
  readonly count: number;
}

function argumentsFor(name: RuntimeName, folder: string, { port, count }: Server): readonly string[] {
  const server = join(folder, `${name}.js`);
  switch (name) {
    case 'workerd': {
      const names = ['worker', 'handle', 'fetch', ...Array.from({ length: count }, (_, at) => `policy-${at}`)];
      const modules = names.map(one => `(name = "${one}.js", esModule = embed "${one}.js")`).join(', ');
      writeFileSync(
        join(folder, 'workerd.capnp'),
        `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "internet", network = (allow = ["public", "private"])), (name = "main", worker = (modules = [${modules}], compatibilityDate = "2026-01-01"))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`,
      );
      return ['serve', join(folder, 'workerd.capnp')];
    }
    case 'bun':
      writeFileSync(
        server,
        `import { handle } from './handle.js';\nBun.serve({ port: ${port}, hostname: '127.0.0.1', fetch: handle });\n`,
      );
      return ['run', server];
    case 'deno':
      writeFileSync(
        server,
        `import { handle } from './handle.js';\nDeno.serve({ port: ${port}, hostname: '127.0.0.1' }, handle);\n`,
      );
      return ['run', '--allow-net=127.0.0.1', '--no-prompt', server];
  }
}
