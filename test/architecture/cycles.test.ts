import { expect, it } from 'vitest';
import { cyclesIn, importGraph } from './import-graph.ts';
import { filesBelow, readSource } from './source-file.ts';

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
