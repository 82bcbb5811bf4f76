/**
 * Writes the published form of the `tollgate` command: its own code and the libraries that every start needs in a few files, so that a
 * start does not look up hundreds of modules. Libraries that only some commands load, or that bring binaries, stay packages.
 */
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const COMMAND = new URL('../packages/cli/', import.meta.url);

/** Loaded by commands that run long. */
const PACKAGES = ['@duckdb/node-api', 'maxmind', 'pg'];

/** What bundled CommonJS modules call to load modules of Node. */
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** Writes the bundle into a directory, which is emptied first. */
export async function bundleCommand(outdir: string): Promise<void> {
  rmSync(outdir, { recursive: true, force: true });
  await build({
    entryPoints: [fileURLToPath(new URL('src/main.ts', COMMAND))],
    outdir,
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    conditions: ['tollgate-source'],
    external: PACKAGES,
    banner: { js: REQUIRE },
    logLevel: 'warning',
  });
}

if (import.meta.main) await bundleCommand(fileURLToPath(new URL('dist/bundle/', COMMAND)));
