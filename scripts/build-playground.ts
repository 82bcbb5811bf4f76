/**
 * Writes the playground as static files: the page, the editor, and two workers whose modules are loaded on first use.
 *
 * usage: npm run build:playground -- FOLDER
 */
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PlaygroundState } from '@tollgate/playground/permalink';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';
import { parse } from 'yaml';
import { type LateModule, loadLate } from './bundle/load-late.ts';
import { thirdPartyNotices } from './bundle/third-party-notices.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PLAYGROUND = `${ROOT}packages/playground`;

/** What a browser resolves; `tollgate-source` names the sources. */
const CONDITIONS = ['tollgate-source', 'browser', 'import', 'default'];

/** The module that answers editors. */
const LANGUAGE_SERVER = 'packages/language-server/src/server/requests.ts';

/** Modules that a worker loads on first use. */
const LATE: readonly LateModule[] = [
  { name: 'lint', module: '@tollgate/lint', from: 'packages/core/src/lint-document.ts' },
  // Most policies are read without the library.
  { name: 'yaml', module: 'yaml', from: 'packages/policy/src/index.ts' },
  {
    name: 'read-with-yaml-library',
    module: './document/read-with-yaml-library.ts',
    from: 'packages/policy/src/index.ts',
  },
  { name: 'closures', module: './closures/compile-closures.ts', from: 'packages/cel/src/index.ts' },
  // What is said of expressions that do not parse.
  { name: 'foreign-forms', module: './syntax/foreign-forms.ts', from: 'packages/cel/src/tooling.ts' },
  { name: 'simulator', module: '@tollgate/simulator', from: 'packages/lint/src/index.ts' },
  { name: 'solver', module: '@tollgate/solver', from: 'packages/lint/src/index.ts' },
  // What editors ask for on some occasion.
  { name: 'completion', module: '../completion/complete.ts', from: LANGUAGE_SERVER },
  { name: 'code-actions', module: '../features/code-actions.ts', from: LANGUAGE_SERVER },
  { name: 'refactorings', module: '../features/refactorings.ts', from: LANGUAGE_SERVER },
  { name: 'navigation', module: '../features/navigation.ts', from: LANGUAGE_SERVER },
  { name: 'signature-help', module: '../completion/signature-help.ts', from: LANGUAGE_SERVER },
  { name: 'structure', module: '../features/structure.ts', from: LANGUAGE_SERVER },
  { name: 'format', module: './format/format-policy.ts', from: 'packages/policy/src/index.ts' },
  // Few policies use these.
  { name: 'terraform', module: './find-in-terraform.ts', from: 'packages/policy/src/embedded/find-policies.ts' },
  { name: 'hashes-legacy', module: '@noble/hashes/legacy.js', from: 'packages/policy/src/expressions/hashes.ts' },
  { name: 'hashes', module: '@noble/hashes/sha2.js', from: 'packages/policy/src/expressions/hashes.ts' },
  { name: 'read-lint-settings', module: './engine/read-lint-settings.ts', from: 'packages/lint/src/index.ts' },
  { name: 'rule-faults', module: './engine/rule-faults.ts', from: 'packages/lint/src/index.ts' },
  { name: 'lint-example', module: './engine/lint-example.ts', from: 'packages/lint/src/index.ts' },
  { name: 'fix-text', module: './engine/fix-text.ts', from: 'packages/lint/src/index.ts' },
  { name: 'write-tests', module: './project/write-tests.ts', from: 'packages/policy/src/index.ts' },
  { name: 'expand-tests', module: './expand-tests.ts', from: 'packages/policy/src/project/read-tests.ts' },
  { name: 'invariants', module: './project/invariants.ts', from: 'packages/policy/src/index.ts' },
  { name: 'minimatch', module: 'minimatch', from: 'packages/playground/src/project/load-project.ts' },
  { name: 'describe', module: '@tollgate/describe', from: 'packages/language-server/src/index.ts' },
  { name: 'read-tests', module: './project/read-tests.ts', from: 'packages/policy/src/index.ts' },
  { name: 'test-fields', module: './test-fields.ts', from: 'packages/policy/src/project/read-tests.ts' },
  { name: 'read-settings', module: './project/read-settings.ts', from: 'packages/policy/src/index.ts' },
  { name: 're2', module: 're2js', from: 'packages/cel/src/index.ts' },
  { name: 'regexpp', module: '@eslint-community/regexpp', from: 'packages/lint/src/index.ts' },
  { name: 'scslre', module: 'scslre', from: 'packages/lint/src/index.ts' },
  { name: 'modern-facts', module: './modern-facts.ts', from: 'packages/catalog/src/modern/modern.ts' },
  { name: 'snake-facts', module: './snake-facts.ts', from: 'packages/catalog/src/edge-v2/edge-v2-snake.ts' },
  { name: 'unicode-names', module: './unicode-names.ts', from: 'packages/cel/src/regex/parse-pattern.ts' },
  { name: 'category-levels', module: './category-levels.ts', from: 'packages/lint/src/rules/ip/unknown-category.ts' },
  // The same module by both of its names.
  { name: 'markdown', module: './markdown.ts', from: 'packages/policy/src/embedded/find-policies.ts' },
  { name: 'markdown', module: '@tollgate/policy/markdown', from: 'packages/playground/src/project/load-project.ts' },
  { name: 'html-reports', module: '@tollgate/reports/html', from: 'packages/playground/src/runner/tests.ts' },
  { name: 'compile', module: '@tollgate/compile', from: 'packages/playground/src/runner/compile-and-evaluate.ts' },
];

/** The names of the files that are loaded on first use. */
export const LATE_FILES: ReadonlySet<string> = new Set(LATE.map(({ name }) => name));

/** Writes the files into a folder, which is emptied first. */
export async function buildPlayground(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const write = (name: string, ending: string, content: string): string => {
    const file = `${name}-${hash('sha256', content).slice(0, 10)}.${ending}`;
    writeFileSync(join(folder, file), content);
    return file;
  };
  const names: Record<string, string> = {
    ...writeWorkers(await bundleWorkers(), write),
    page: write('editor', 'js', await bundlePage(folder)),
    style: write('style', 'css', readFileSync(join(PLAYGROUND, 'style.css'), 'utf8')),
    gallery: write('gallery', 'json', JSON.stringify(readGallery())),
  };
  const page = readFileSync(join(PLAYGROUND, 'index.html'), 'utf8');
  writeFileSync(
    join(folder, 'index.html'),
    page.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
      if (names[name] === undefined) throw new Error(`index.html names \`${name}\`, which is not built`);
      return names[name];
    }),
  );
}

type Write = (name: string, ending: string, content: string) => string;

/** Writes the version where the sources have a placeholder. */
const version: Plugin = {
  name: 'version',
  transform: (code, id) => {
    if (!id.endsWith('packages/playground/src/version.ts')) return null;
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    return code.replace('TOLLGATE-VERSION', version);
  },
};

async function bundlePage(folder: string): Promise<string> {
  const build = await rolldown({
    cwd: ROOT,
    input: { editor: join(PLAYGROUND, 'src/page.ts') },
    platform: 'browser',
    plugins: [version, thirdPartyNotices(join(folder, 'third-party-notices.txt'))],
    resolve: { conditionNames: CONDITIONS },
  });
  const { output } = await build.generate({ format: 'es', minify: true, codeSplitting: false });
  await build.close();
  return output[0].code;
}

const WORKERS = ['server', 'runner'] as const;

/**
 * Bundles both workers together, so that they share their chunks. What a worker loads when it starts is one file: `importScripts` waits for each.
 */
async function bundleWorkers(): Promise<readonly OutputChunk[]> {
  const scattered = await bundleChunks([]);
  const groups = GROUPS.map(({ name, entry }) => ({ name, modules: new Set(modulesFor(entry, scattered)) }));
  return bundleChunks(groups);
}

/** Files with what an entry needs when it starts and no earlier file contains. */
const GROUPS = [
  { name: 'base', entry: 'server.cjs' },
  { name: 'rules', entry: 'lint.cjs' },
  { name: 'run', entry: 'runner.cjs' },
];

interface Group {
  readonly name: string;
  readonly modules: ReadonlySet<string>;
}

async function bundleChunks(groups: readonly Group[]): Promise<readonly OutputChunk[]> {
  const late = loadLate(LATE);
  const build = await rolldown({
    cwd: ROOT,
    input: { ...Object.fromEntries(WORKERS.map(name => [name, workerSource(name)])), ...late.entries },
    platform: 'browser',
    plugins: [late.plugin, version],
    // Without it, a decoder of character references asks the document, which a worker does not have.
    resolve: { conditionNames: ['worker', ...CONDITIONS] },
    preserveEntrySignatures: 'allow-extension',
    // Its own chunk is loaded on first use, however it is imported.
    checks: { ineffectiveDynamicImport: false },
  });
  const { output } = await build.generate({
    format: 'cjs',
    minify: groups.length > 0,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-shared.cjs',
    ...(groups.length > 0 && {
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: groups.map(({ name, modules }, index) => ({
          name,
          test: (id: string) => modules.has(id),
          priority: groups.length - index,
        })),
      },
    }),
  });
  await build.close();
  return output.filter(one => one.type === 'chunk');
}

function workerSource(name: string): string {
  return join(PLAYGROUND, `src/${name}-worker.ts`);
}

/** Returns the modules that are evaluated with an entry, without the workers: whoever loads one runs it. */
function modulesFor(entry: string, chunks: readonly OutputChunk[]): readonly string[] {
  const start = chunks.find(({ fileName }) => fileName === entry);
  if (!start) throw new Error(`no chunk ${entry}`);
  const needed = new Set([start]);
  // Iteration over a set includes elements that are added meanwhile.
  for (const { imports, dynamicImports } of needed)
    for (const chunk of chunks) {
      // What is imported dynamically is needed as soon as a client connects.
      if (imports.includes(chunk.fileName) || dynamicImports.includes(chunk.fileName)) needed.add(chunk);
    }
  const workers: readonly string[] = WORKERS.map(workerSource);
  return [...needed].flatMap(chunk => chunk.moduleIds).filter(id => !workers.includes(id));
}

/**
 * What stands before a worker: classic workers load scripts synchronously, so that `require` works as in Node. A loaded script defines a
 * module, which runs when it is first required.
 */
const LOADER = `const files = FILES, modules = {};
self.__define = (name, run) => { modules[name] = { run }; };
const require = path => {
  const name = path.replace(/^\\.\\//, '');
  if (!modules[name]) importScripts(files[name]);
  const module = modules[name];
  if (!module.exports) { module.exports = {}; module.run(require, module, module.exports); }
  return module.exports;
};
`;

/** Writes the chunks of the workers, and returns the files of the workers themselves. */
function writeWorkers(chunks: readonly OutputChunk[], write: Write): Record<string, string> {
  const files: Record<string, string> = {};
  const isWorker = ({ fileName }: OutputChunk) => WORKERS.some(name => fileName === `${name}.cjs`);
  for (const chunk of chunks.filter(one => !isWorker(one))) {
    const name = JSON.stringify(chunk.fileName);
    // The parentheses tell engines that the function is called at once: it is compiled when it is first parsed.
    const code = `self.__define(${name}, (function (require, module, exports) {${chunk.code}\n}));\n`;
    files[chunk.fileName] = write(chunk.fileName.replace('.cjs', ''), 'js', code);
  }
  const loader = LOADER.replace('FILES', JSON.stringify(files));
  return Object.fromEntries(
    chunks.filter(isWorker).map(({ fileName, code }) => {
      const name = fileName.replace('.cjs', '');
      // Chunks that are loaded late may import from the worker itself.
      const own = `const module = modules[${JSON.stringify(fileName)}] = { exports: {} }, { exports } = module;`;
      return [name, write(name, 'js', `(() => {${loader}${own}\n${code}\n})();\n`)];
    }),
  );
}

/** A task of the gallery, as it is written: files name others of the repository, or contain their text. */
interface WrittenTask {
  readonly files: Readonly<Record<string, string | { readonly from: string }>>;
  readonly id: string;
  readonly title: string;
  readonly active?: string;
}

/** A task of the gallery. */
interface GalleryTask extends PlaygroundState {
  readonly id: string;
  readonly title: string;
}

/** Returns the tasks of the gallery as states of the playground. */
export function readGallery(): readonly GalleryTask[] {
  const tasks = parse(readFileSync(join(PLAYGROUND, 'gallery.yaml'), 'utf8')) as readonly WrittenTask[];
  return tasks.map(task => {
    const files = Object.entries(task.files).map(([name, text]) => ({ name, text: textOf(text) }));
    const inputs = Object.entries((task as { inputs?: Record<string, string | { from: string }> }).inputs ?? {});
    const read = Object.fromEntries(inputs.map(([name, text]) => [name, textOf(text)]));
    const { id, title, ...rest } = task;
    return { id, title, active: files[0]!.name, profile: 'modern', ...rest, files, inputs: read };
  });
}

function textOf(text: string | { readonly from: string }): string {
  return typeof text === 'string' ? text : readFileSync(join(ROOT, text.from), 'utf8');
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('expected a folder: npm run build:playground -- FOLDER');
  await buildPlayground(folder);
}
