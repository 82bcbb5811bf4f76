import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));

/** A tool that is installed when it is first needed, because it is too large to come with every `npm install`. */
export interface Tool {
  readonly name: string;
  /** Exact. */
  readonly version: string;
  /** Folder in the package with dependencies of its own. */
  readonly inner?: string;
}

/** Packs extensions: 88 MB. */
export const VSCE: Tool = { name: '@vscode/vsce', version: '4.1.0' };
/** VS Code as a server, for tests in a browser: 575 MB. */
export const CODE_SERVER: Tool = { name: 'code-server', version: '4.139.1', inner: 'lib/vscode' };

/** Returns where a tool is installed; undefined if it is not. */
export function findTool({ name, version }: Tool): string | undefined {
  const path = join(directoryOf({ name, version }), 'node_modules', name);
  return existsSync(path) ? path : undefined;
}

/** Returns where a tool is, installed with npm into the project's cache if necessary. No script of a package runs. */
export function installTool(tool: Tool): string {
  const found = findTool(tool);
  if (found !== undefined) return found;
  const target = directoryOf(tool);
  const partial = `${target}-${process.pid}`;
  mkdirSync(partial, { recursive: true });
  writeFileSync(join(partial, 'package.json'), '{ "private": true }\n');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
  const npm = (directory: string, ...args: readonly string[]) =>
    execFileSync('npm', ['install', ...options, ...args], { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] });
  npm(partial, `${tool.name}@${tool.version}`);
  if (tool.inner !== undefined) npm(join(partial, 'node_modules', tool.name, tool.inner), '--omit=dev');
  rmSync(target, { recursive: true, force: true });
  renameSync(partial, target);
  return join(target, 'node_modules', tool.name);
}

function directoryOf({ name, version }: Tool): string {
  return join(CACHE, `${name.replace('/', '-')}-${version}`);
}

if (import.meta.main) for (const tool of [VSCE, CODE_SERVER]) console.log(installTool(tool));
