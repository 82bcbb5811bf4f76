/**
 * Builds the extension for VS Code as a `.vsix` file, which `code --install-extension` installs on every platform.
 *
 * usage: npm run build:vscode -- [--out FILE]
 */
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installTool, VSCE } from './vscode/install-tool.ts';
import { stageExtension } from './vscode/stage-extension.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The part of `@vscode/vsce` that is used. */
interface Packer {
  readonly createVSIX: (options: {
    readonly cwd: string;
    readonly packagePath: string;
    readonly dependencies: boolean;
    readonly skipLicense?: boolean;
  }) => Promise<unknown>;
}

/** Builds the extension and packs it into a file. */
export async function buildExtension(file: string): Promise<void> {
  const { createVSIX } = createRequire(import.meta.url)(installTool(VSCE)) as Packer;
  const staging = mkdtempSync(join(tmpdir(), 'tollgate-vscode-'));
  try {
    await stageExtension(staging);
    mkdirSync(dirname(file), { recursive: true });
    await createVSIX({ cwd: staging, packagePath: file, dependencies: false });
  } finally {
    rmSync(staging, { recursive: true });
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist/tollgate.vsix' } } });
  const file = resolve(ROOT, values.out);
  await buildExtension(file);
  console.log(`${file}: ${(statSync(file).size / 1e6).toFixed(1)} MB`);
}
