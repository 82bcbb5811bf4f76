// How the sources are laid out: sizes, layers, folders and cycles.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cyclesIn, folderGraph, importGraph } from './import-graph.ts';
import {
  CEILING_EXEMPT,
  LAYERS,
  MAX_FILE_LINES,
  MAX_FOLDER_FILES,
  MAX_FUNCTION_LINES,
  MAX_PARAMETERS,
} from './layers.ts';
import { filesBelow, importsOf, linesIn, ROOT, readSource, type SyntaxNode, visit } from './source-file.ts';

const everySource = ['packages', 'test', 'scripts', 'examples']
  .flatMap(folder => filesBelow(folder, '.ts'))
  .filter(path => !(path in CEILING_EXEMPT))
  .map(readSource);

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** Calls that only group tests: their content is not one function. */
const GROUPS = /^(describe|suite)\b/;

function isGroup(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, text.lastIndexOf('\n', start)), start);
  return GROUPS.test(before.trim());
}

describe('ceilings', () => {
  it(`has no file over ${MAX_FILE_LINES} lines`, () => {
    const long = everySource.map(({ path, text }) => ({ path, lines: linesIn(text) }));
    expect(long.filter(({ lines }) => lines > MAX_FILE_LINES)).toEqual([]);
  });

  it(`has no function over ${MAX_FUNCTION_LINES} lines`, () => {
    const long: string[] = [];
    for (const { path, text, program } of everySource.filter(source => linesIn(source.text) > MAX_FUNCTION_LINES)) {
      visit(program, node => {
        if (!FUNCTIONS.has(node.type) || isGroup(text, node.start)) return;
        const lines = linesIn(text, node.start, node.end);
        if (lines > MAX_FUNCTION_LINES) long.push(`${path}:${linesIn(text, 0, node.start)} has ${lines} lines`);
      });
    }
    expect(long).toEqual([]);
  });

  it(`has no function with more than ${MAX_PARAMETERS} parameters`, () => {
    const wide: string[] = [];
    for (const { path, text, program } of everySource.filter(
      source => source.path.startsWith('packages/') && !source.path.endsWith('.test.ts'),
    )) {
      visit(program, node => {
        if (!FUNCTIONS.has(node.type)) return;
        const { params } = node as SyntaxNode & { params: readonly unknown[] };
        if (params.length > MAX_PARAMETERS) wide.push(`${path}:${linesIn(text, 0, node.start)} has ${params.length}`);
      });
    }
    expect(wide).toEqual([]);
  });

  it('has no conversion through `unknown`, which no type can refute', () => {
    const converted: string[] = [];
    for (const { path, text, program } of everySource.filter(source => source.text.includes('as unknown'))) {
      visit(program, node => {
        if (node.type !== 'TSAsExpression') return;
        const { expression } = node as SyntaxNode & { expression: SyntaxNode };
        const { typeAnnotation } = expression as SyntaxNode & { typeAnnotation?: SyntaxNode };
        const isUnknown = expression.type === 'TSAsExpression' && typeAnnotation?.type === 'TSUnknownKeyword';
        if (isUnknown) converted.push(`${path}:${linesIn(text, 0, node.start)}`);
      });
    }
    expect(converted).toEqual([]);
  });

  it('exempts only files that exist', () => {
    const all = ['packages', 'test'].flatMap(folder => filesBelow(folder, '.ts'));
    expect(Object.keys(CEILING_EXEMPT).filter(path => !all.includes(path))).toEqual([]);
  });
});

it('has no import cycle between files, type imports included', () => {
  const sources = [...filesBelow('packages', '.ts'), ...filesBelow('test', '.ts')].map(readSource);
  expect(cyclesIn(importGraph(sources))).toEqual([]);
});

it('finds a cycle', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', ['b']],
  ]);
  expect(cyclesIn(graph)).toEqual([['b', 'c']]);
});

const files = filesBelow('packages', '.ts').filter(path => path.includes('/src/') && !path.endsWith('.test.ts'));

/** Returns the folders with too many files, each with the number. */
function largeFolders(paths: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const folder of paths.map(path => posix.dirname(path))) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  return new Map([...counts].filter(([, count]) => count > MAX_FOLDER_FILES));
}

describe('cycles between folders', () => {
  it('has none', () => {
    expect(cyclesIn(folderGraph(importGraph(files.map(readSource))))).toEqual([]);
  });

  it('finds one where no file is part of a cycle', () => {
    const graph = new Map([
      ['p/src/a/one.ts', ['p/src/b/one.ts']],
      ['p/src/b/one.ts', []],
      ['p/src/b/two.ts', ['p/src/a/two.ts']],
      ['p/src/a/two.ts', []],
      ['p/src/c/one.ts', ['p/src/a/one.ts']],
    ]);
    expect(cyclesIn(graph)).toEqual([]);
    expect(cyclesIn(folderGraph(graph))).toEqual([['p/src/a', 'p/src/b']]);
  });

  it('finds one between a folder and its subfolder', () => {
    const graph = new Map([
      ['p/src/a/one.ts', ['p/src/a/sub/one.ts']],
      ['p/src/a/sub/one.ts', ['p/src/a/two.ts']],
      ['p/src/a/two.ts', []],
    ]);
    expect(cyclesIn(folderGraph(graph))).toEqual([['p/src/a', 'p/src/a/sub']]);
  });

  it('lets an entry point import from every folder', () => {
    const graph = new Map([
      ['p/src/index.ts', ['p/src/a/one.ts']],
      ['p/src/a/one.ts', ['p/src/range.ts']],
      ['p/src/range.ts', []],
    ]);
    expect(cyclesIn(folderGraph(graph))).toEqual([]);
  });
});

describe('sizes of folders', () => {
  it(`has no folder with more than ${MAX_FOLDER_FILES} source files`, () => {
    expect([...largeFolders(files)]).toEqual([]);
  });

  it('counts the files of each folder without its subfolders', () => {
    const paths = Array.from({ length: MAX_FOLDER_FILES + 1 }, (_, index) => `p/src/a/f${index}.ts`);
    expect([...largeFolders([...paths, 'p/src/a/sub/one.ts'])]).toEqual([['p/src/a', MAX_FOLDER_FILES + 1]]);
    expect([...largeFolders([...paths.slice(1), 'p/src/a/sub/one.ts'])]).toEqual([]);
  });
});

const packages = readdirSync(join(ROOT, 'packages'));
const packageSources = filesBelow('packages', '.ts').map(readSource);

function packageOf(path: string): string {
  return path.split('/')[1] ?? '';
}

function manifest(name: string): { dependencies?: Record<string, string> } {
  return JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8'));
}

/** Returns why an import is not allowed here; undefined if it is. */
function objection(path: string, specifier: string): string | undefined {
  if (specifier.startsWith('node:')) return undefined;
  if (builtinModules.includes(specifier)) return 'built-in modules are imported with `node:`';
  if (specifier.startsWith('.')) return relativeObjection(path, specifier);
  return specifier.startsWith('@tollgate/') ? houseObjection(path, specifier) : thirdPartyObjection(path, specifier);
}

function thirdPartyObjection(path: string, specifier: string): string | undefined {
  if (path.endsWith('.test.ts')) return undefined;
  const dependency = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  if (LAYERS[packageOf(path)]?.provided?.includes(specifier)) return undefined;
  if (!LAYERS[packageOf(path)]?.thirdParty.includes(dependency)) return 'not in the table of third-party packages';
  return dependency in (manifest(packageOf(path)).dependencies ?? {}) ? undefined : 'not declared in package.json';
}

function houseObjection(path: string, specifier: string): string | undefined {
  const from = packageOf(path);
  const [, target = '', ...inside] = specifier.split('/');
  if (!exportsOf(target).includes(['.', ...inside].join('/'))) return 'not an entry point of that package';
  if (path.endsWith('.test.ts')) return undefined;
  if (!(`@tollgate/${target}` in (manifest(from).dependencies ?? {}))) return 'not declared in package.json';
  const mine = LAYERS[from];
  const theirs = LAYERS[target];
  if (!mine || !theirs) return 'not in the table of layers';
  if (theirs.layer < mine.layer || mine.exceptions?.[target]) return undefined;
  return `layer ${mine.layer} may not see layer ${theirs.layer}`;
}

function exportsOf(name: string): string[] {
  const file = join(ROOT, 'packages', name, 'package.json');
  return existsSync(file) ? Object.keys((JSON.parse(readFileSync(file, 'utf8')) as { exports: object }).exports) : [];
}

function relativeObjection(path: string, specifier: string): string | undefined {
  const target = posix.join(posix.dirname(path), specifier);
  if (!target.startsWith(`packages/${packageOf(path)}/`)) return 'a relative path out of the package';
  if (target === `packages/${packageOf(path)}/src/index.ts`) return "the package's own index";
  return specifier.endsWith('.ts') ? undefined : 'a relative import names the file with its ending';
}

describe('layers', () => {
  it('lists exactly the existing packages', () => {
    expect(Object.keys(LAYERS).sort()).toEqual([...packages].sort());
  });

  it('imports only declared entry points of lower layers', () => {
    const objections = packageSources.flatMap(source =>
      importsOf(source).flatMap(specifier => {
        const reason = objection(source.path, specifier);
        return reason === undefined ? [] : [`${source.path} imports ${specifier}: ${reason}`];
      }),
    );
    expect(objections).toEqual([]);
  });

  it('declares only the dependencies that a package imports', () => {
    const unused = packages.flatMap(name => {
      const imported = packageSources.filter(source => packageOf(source.path) === name).flatMap(importsOf);
      return Object.keys(manifest(name).dependencies ?? {})
        .filter(dependency => !imported.some(one => one === dependency || one.startsWith(`${dependency}/`)))
        .map(dependency => `${name}: ${dependency}`);
    });
    expect(unused).toEqual([]);
  });

  it('references exactly the dependencies in each tsconfig.json', () => {
    for (const name of packages) {
      const config = JSON.parse(readFileSync(join(ROOT, 'packages', name, 'tsconfig.json'), 'utf8'));
      // A package may be compiled in two parts: what runs anywhere, and what needs Node.
      const referenced = new Set<string>(
        config.references.map(({ path }: { path: string }) => `@tollgate/${path.split('/')[1]}`),
      );
      const depended = Object.keys(manifest(name).dependencies ?? {}).filter(one => one.startsWith('@tollgate/'));
      expect([name, [...referenced].sort()]).toEqual([name, depended.sort()]);
    }
  });
});
