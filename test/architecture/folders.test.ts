import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cyclesIn, folderGraph, importGraph } from './import-graph.ts';
import { MAX_FOLDER_FILES } from './layers.ts';
import { filesBelow, readSource } from './source-file.ts';

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
