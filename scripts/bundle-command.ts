/**
 * Writes the published form of the `tollgate` command: its own code and the libraries that it needs in a few files, so that a start does
 * not look up hundreds of modules, and does not evaluate what the command that is called has no use for.
 */
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type OutputChunk, rolldown } from 'rolldown';
import { type LateModule, loadLate } from './bundle/load-late.ts';
import { withoutChildProcesses } from './bundle/without-child-processes.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MAIN = `${ROOT}packages/cli/src/main.ts`;
/** What threads of a replay run. */
const THREAD = `${ROOT}packages/cli/src/replay/threads/replay-thread.ts`;

/** Loaded by commands that run long. */
const PACKAGES = ['@duckdb/node-api', 'maxmind', 'pg'];

/** What an ordinary start has no use for. */
const LATE: readonly LateModule[] = [
  // Policies as people write them are read without the library.
  { name: 'yaml', module: 'yaml', from: 'policy/src/index.ts' },
  // V8 runs most patterns.
  { name: 're2', module: 're2js', from: 'cel/src/index.ts' },
  { name: 'regexpp', module: '@eslint-community/regexpp', from: 'lint/src/index.ts' },
  { name: 'scslre', module: 'scslre', from: 'lint/src/index.ts' },
];

/** What is one file each, in this order: all that these need and none before them does. */
const FILES = [
  { name: 'main', of: MAIN },
  { name: 'check', of: `${ROOT}packages/cli/src/check-files.ts` },
  { name: 'lint', of: `${ROOT}packages/cli/src/lint/lint-files.ts` },
];

/** Writes the bundle into a directory, which is emptied first. */
export async function bundleCommand(outdir: string): Promise<readonly OutputChunk[]> {
  rmSync(outdir, { recursive: true, force: true });
  const chunks = await bundle([]);
  const groups = FILES.map(({ name, of }) => ({ name, modules: modulesFor(of, chunks) }));
  return bundle(groups, outdir);
}

interface Group {
  readonly name: string;
  readonly modules: ReadonlySet<string>;
}

/** CommonJS, because modules of that kind load in two thirds of the time, and modules of Node without all that they can give. */
async function bundle(groups: readonly Group[], outdir?: string): Promise<readonly OutputChunk[]> {
  const late = loadLate(LATE);
  const build = await rolldown({
    input: { main: MAIN, 'replay-thread': THREAD, ...late.entries },
    platform: 'node',
    plugins: [late.plugin, withoutChildProcesses],
    resolve: { conditionNames: ['tollgate-source', 'import', 'node', 'default'] },
    external: PACKAGES,
    preserveEntrySignatures: 'allow-extension',
  });
  const options = {
    format: 'cjs',
    minify: outdir !== undefined,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    ...(groups.length > 0 && { codeSplitting: splitting(groups) }),
  } as const;
  const { output } =
    outdir === undefined ? await build.generate(options) : await build.write({ ...options, dir: outdir });
  await build.close();
  return output.filter(one => one.type === 'chunk');
}

function splitting(groups: readonly Group[]) {
  const test = (modules: ReadonlySet<string>) => (id: string) => modules.has(id);
  return {
    includeDependenciesRecursively: false,
    groups: groups.map(({ name, modules }, index) => ({ name, test: test(modules), priority: groups.length - index })),
  };
}

/** The modules that are evaluated where a module is: those of its file, and of the files that this one needs. */
function modulesFor(id: string, chunks: readonly OutputChunk[]): ReadonlySet<string> {
  const start = chunks.find(chunk => chunk.facadeModuleId === id);
  if (!start) throw new Error(`nothing begins with ${id}`);
  const needed = new Set([start]);
  // A set that grows while it is gone through gives what was added as well.
  for (const { imports } of needed) for (const chunk of chunks) if (imports.includes(chunk.fileName)) needed.add(chunk);
  return new Set([...needed].flatMap(chunk => chunk.moduleIds));
}

if (import.meta.main) await bundleCommand(`${ROOT}packages/cli/dist/bundle`);
