import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { thirdPartyNotices } from '../bundle/third-party-notices.ts';
import { bundleCommand, NOTICES } from '../bundle-command.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCE = `${ROOT}packages/vscode`;

/** What is copied as it is. */
const FILES = ['README.md', 'CHANGELOG.md', 'LICENSE', 'icon.png', 'language-configuration.json', 'media', 'syntaxes'];

/** The fields of the manifest that only the repository needs. */
const INTERNAL = ['private', 'type', 'dependencies', 'devDependencies'];

/** Writes the extension into a directory, as it is packed: bundled, with the command that it runs. */
export async function stageExtension(target: string): Promise<void> {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const name of FILES) cpSync(join(SOURCE, name), join(target, name), { recursive: true });
  cpSync(`${ROOT}grammars/cel.tmLanguage.json`, join(target, 'syntaxes/cel.tmLanguage.json'));
  const manifest = JSON.parse(readFileSync(join(SOURCE, 'package.json'), 'utf8')) as Record<string, unknown>;
  const published = Object.fromEntries(Object.entries(manifest).filter(([key]) => !INTERNAL.includes(key)));
  writeFileSync(join(target, 'package.json'), `${JSON.stringify({ ...published, files: ['**'] }, null, 2)}\n`);
  cpSync(`${ROOT}packages/cli/bin`, join(target, 'command/bin'), { recursive: true });
  await bundleCommand(join(target, 'command/dist/bundle'));
  await bundleExtension(target);
  await bundleForBrowsers(target, String(manifest.version));
}

/** The editor loads CommonJS, and provides the module `vscode`. */
async function bundleExtension(target: string): Promise<void> {
  const build = await rolldown({
    input: `${SOURCE}/src/index.ts`,
    platform: 'node',
    external: ['vscode'],
    plugins: [thirdPartyNotices(join(target, NOTICES))],
    resolve: { conditionNames: ['tollgate-source', 'import', 'node', 'default'] },
  });
  await build.write({ file: join(target, 'dist/extension.cjs'), format: 'cjs', minify: true });
  await build.close();
}

/** In a browser, the editor loads CommonJS, too, and the language server is one script for a worker. */
async function bundleForBrowsers(target: string, version: string): Promise<void> {
  const resolve = { conditionNames: ['tollgate-source', 'worker', 'browser', 'import', 'default'] };
  const options = { platform: 'browser' as const, resolve };
  const extension = await rolldown({ ...options, input: `${SOURCE}/src/web/index.ts`, external: ['vscode'] });
  await extension.write({ file: join(target, 'dist/web.cjs'), format: 'cjs', minify: true, codeSplitting: false });
  await extension.close();
  const define = { TOLLGATE_VERSION: JSON.stringify(version) };
  const input = `${SOURCE}/src/web/server-worker.ts`;
  const plugins = [thirdPartyNotices(join(target, 'dist/web-server-notices.txt'))];
  const worker = await rolldown({ ...options, input, plugins, transform: { define } });
  await worker.write({ file: join(target, 'dist/web-server.js'), format: 'iife', minify: true, codeSplitting: false });
  await worker.close();
}
