/**
 * Writes the published form of the `tollgate` command: its code and libraries in a few files, so that a start neither resolves hundreds of
 * modules nor evaluates what the command does not need.
 */
import { hash } from 'node:crypto';
import { cpSync, existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';
import { lateChildProcess } from './bundle/late-child-process.ts';
import { type LateModule, loadLate } from './bundle/load-late.ts';
import { plainBuiltins } from './bundle/plain-builtins.ts';
import { plainExports, refuseCircles } from './bundle/plain-exports.ts';
import { policyRuntime } from './bundle/policy-runtime.ts';
import { thirdPartyNotices } from './bundle/third-party-notices.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLI = `${ROOT}packages/cli/src`;
const MAIN = `${CLI}/main.ts`;
const START = `${CLI}/start-command.ts`;
const RUNTIME = `${CLI}/policies/policy-runtime.ts`;

/** What the command and its threads say to each other. */
const SHARED_WITH_THREADS = `${CLI}/process/thread-messages.ts`;

/** Licences of the bundled packages. */
export const NOTICES = 'THIRD-PARTY-NOTICES.txt';

/** Entry points of threads. */
const THREADS = {
  'file-thread': `${CLI}/file-thread.ts`,
  'check-thread': `${CLI}/language-server/check-thread.ts`,
  'body-thread': `${ROOT}packages/edge-server/src/service/body-thread.ts`,
};

/** What tests of a project's own lint rules import as `@tollgate/lint/testing`. */
const FOR_TESTS = { 'rule-testing': `${ROOT}packages/lint/src/testing.ts` };

/** Not bundled, because not every user needs them. They are optional peer dependencies of the published command. */
export const OPTIONAL_PACKAGES: readonly string[] = ['@aws-sdk/client-athena', '@duckdb/node-api', 'hive-driver', 'pg'];

/** Modules that an ordinary start does not need; they are loaded on first use. */
const LATE: readonly LateModule[] = [
  // Most policies are read without the library.
  { name: 'yaml', module: 'yaml', from: 'packages/policy/src/index.ts' },
  {
    name: 'read-with-yaml-library',
    module: './document/read-with-yaml-library.ts',
    from: 'packages/policy/src/index.ts',
  },
  // V8 can run most patterns.
  { name: 're2', module: 're2js', from: 'packages/cel/src/index.ts' },
  { name: 'regexpp', module: '@eslint-community/regexpp', from: 'packages/lint/src/index.ts' },
  { name: 'scslre', module: 'scslre', from: 'packages/lint/src/index.ts' },
  // A policy has one profile. The oldest one stays in the main chunk, because the newer ones are derived from it.
  { name: 'modern-facts', module: './modern-facts.ts', from: 'packages/catalog/src/modern/modern.ts' },
  { name: 'snake-facts', module: './snake-facts.ts', from: 'packages/catalog/src/edge-v2/edge-v2-snake.ts' },
  // The linter rarely evaluates subexpressions.
  { name: 'closures', module: './closures/compile-closures.ts', from: 'packages/cel/src/index.ts' },
  // The linter only simulates what it is about to claim; replays, traces and tests run longer anyway.
  { name: 'simulator', module: '@tollgate/simulator', from: 'packages/lint/src/index.ts' },
  // Few policies use these.
  {
    name: 'category-levels',
    module: './category-levels.ts',
    from: 'packages/lint/src/rules/ip/unknown-category.ts',
  },
  { name: 'unicode-names', module: './unicode-names.ts', from: 'packages/cel/src/regex/parse-pattern.ts' },
  // Only for settings, extensions and tests.
  { name: 'read-settings', module: './project/read-settings.ts', from: 'packages/policy/src/index.ts' },
  { name: 'read-tests', module: './project/read-tests.ts', from: 'packages/policy/src/index.ts' },
  { name: 'read-lint-settings', module: './engine/read-lint-settings.ts', from: 'packages/lint/src/index.ts' },
  { name: 'rule-faults', module: './engine/rule-faults.ts', from: 'packages/lint/src/index.ts' },
  { name: 'help', module: './lib/help.js', from: 'node_modules/commander/index.js' },
  { name: 'replace-file', module: './trust/replace-file.ts', from: 'packages/cli/src/index.ts' },
];

/** What compiled policies run on is built once, so that the command needs no bundler. */
const BUILT: Plugin = {
  name: 'policy-runtime',
  load: async id =>
    id === RUNTIME ? `export const policyRuntime = async () => (${JSON.stringify(await policyRuntime())});` : null,
};

/** The chunks, in this order: each contains the modules that its entries need and no earlier chunk contains. */
const FILES = [
  { name: 'main', of: [MAIN] },
  { name: 'options', of: ['check', 'lint', 'fmt', 'replay'].map(name => `${CLI}/commands/${name}.ts`) },
  { name: 'check', of: [`${CLI}/policies/check.ts`] },
  { name: 'lint', of: [`${CLI}/lint/lint-files.ts`] },
];

/** Writes the bundle into a directory, which is emptied first. */
export async function bundleCommand(outdir: string): Promise<readonly OutputChunk[]> {
  rmSync(outdir, { recursive: true, force: true });
  const chunks = await bundle([]);
  const groups = FILES.map(({ name, of }) => ({ name, modules: new Set(of.flatMap(id => modulesFor(id, chunks))) }));
  const written = await bundle(groups, outdir);
  refuseCircles(written);
  refuseLoadedThreads(written);
  await bundleStart(join(outdir, 'start.cjs'), hash('sha256', written.map(({ code }) => code).join()).slice(0, 16));
  return written;
}

/** Bundles what opens the code cache before anything else is loaded, and tells it the name of the build. */
async function bundleStart(file: string, name: string): Promise<void> {
  const build = await rolldown({ cwd: ROOT, input: START, platform: 'node' });
  await build.write({ file, format: 'cjs', minify: true });
  await build.close();
  writeFileSync(file, readFileSync(file, 'utf8').replace('BUILD-OF-THE-BUNDLE', name));
}

interface Group {
  readonly name: string;
  readonly modules: ReadonlySet<string>;
}

/** Bundles to CommonJS, which loads in two thirds of the time. */
async function bundle(groups: readonly Group[], outdir?: string): Promise<readonly OutputChunk[]> {
  const late = loadLate(LATE);
  const build = await rolldown({
    cwd: ROOT,
    input: { main: MAIN, ...THREADS, ...FOR_TESTS, ...late.entries },
    platform: 'node',
    plugins: [
      late.plugin,
      BUILT,
      lateChildProcess,
      plainBuiltins,
      plainExports,
      ...(outdir === undefined ? [] : [thirdPartyNotices(join(outdir, NOTICES))]),
    ],
    resolve: { conditionNames: ['tollgate-source', 'import', 'node', 'default'] },
    external: [...OPTIONAL_PACKAGES],
    preserveEntrySignatures: 'allow-extension',
    // Its own chunk is loaded on first use, however it is imported.
    checks: { ineffectiveDynamicImport: false },
  });
  const options = {
    format: 'cjs',
    minify: outdir !== undefined,
    // Strings of one byte per character are read twice as fast.
    charset: 'ascii',
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
  const shared = { name: 'thread-messages', test: (id: string) => id === SHARED_WITH_THREADS, priority: 0 };
  return {
    includeDependenciesRecursively: false,
    groups: [
      ...groups.map(({ name, modules }, index) => ({ name, test: test(modules), priority: groups.length - index })),
      shared,
    ],
  };
}

/** Whoever loads the entry point of a thread runs it, so no other file may contain a part of it. */
function refuseLoadedThreads(chunks: readonly OutputChunk[]): void {
  const threads = Object.keys(THREADS).map(name => `${name}.cjs`);
  for (const { fileName, imports, dynamicImports } of chunks) {
    const loaded = [...imports, ...dynamicImports].find(one => threads.includes(one));
    if (loaded !== undefined) throw new Error(`${fileName} loads ${loaded}, which only a thread may run`);
  }
}

/** Returns the modules that are evaluated with a module: those of its chunk, and of the chunks that it imports. */
function modulesFor(id: string, chunks: readonly OutputChunk[]): readonly string[] {
  const start = chunks.find(chunk => chunk.facadeModuleId === id);
  if (!start) throw new Error(`no chunk has the entry ${id}`);
  const needed = new Set([start]);
  // Iteration over a set includes elements that are added meanwhile.
  for (const { imports } of needed) for (const chunk of chunks) if (imports.includes(chunk.fileName)) needed.add(chunk);
  return [...needed].flatMap(chunk => chunk.moduleIds);
}

/** Returns size and time of every file that the bundle depends on, by which a clone knows whether it is current. */
function inputs(): string {
  const patterns = ['packages/*/{package.json,src/**/*.ts}', 'scripts/bundle{-command.ts,/*.ts}', 'package-lock.json'];
  const found = globSync(patterns, { cwd: ROOT }).filter(path => !/\.test\.ts$|^packages.vscode/.test(path));
  return JSON.stringify(
    found.map(path => {
      const { size, mtimeMs } = statSync(join(ROOT, path));
      return [path.replaceAll('\\', '/'), size, mtimeMs];
    }),
  );
}

const DIST = `${ROOT}packages/cli/dist`;
const INPUTS = `${DIST}/bundle-inputs.json`;
const CHUNKS = `${DIST}/bundle-chunks.json`;

/** A file of the bundle. */
export interface BundledChunk {
  readonly fileName: string;
  readonly moduleIds: readonly string[];
  /** The length of each module's code in the file. */
  readonly lengths: readonly number[];
}

/** Writes the bundle of the sources as they are into a directory: a copy of the clone's if that one is current. */
export async function provideBundle(outdir: string): Promise<readonly BundledChunk[]> {
  if (!existsSync(CHUNKS) || !existsSync(INPUTS) || readFileSync(INPUTS, 'utf8') !== inputs())
    return (await bundleCommand(outdir)).map(chunkOf);
  cpSync(`${DIST}/bundle`, outdir, { recursive: true });
  return JSON.parse(readFileSync(CHUNKS, 'utf8'));
}

function chunkOf({ fileName, moduleIds, modules }: OutputChunk): BundledChunk {
  return { fileName, moduleIds, lengths: moduleIds.map(id => modules[id]?.renderedLength ?? 0) };
}

if (import.meta.main) {
  const before = inputs();
  const chunks = await bundleCommand(`${DIST}/bundle`);
  writeFileSync(CHUNKS, JSON.stringify(chunks.map(chunkOf)));
  writeFileSync(INPUTS, before);
}
