import { posix } from 'node:path';
import { expect, it } from 'vitest';
import { filesBelow, importsOf, readSource } from './source-file.ts';

/** By file, the files that it imports, types included. */
function importGraph(): Map<string, string[]> {
  const sources = [...filesBelow('packages', '.ts'), ...filesBelow('test', '.ts')].map(readSource);
  return new Map(
    sources.map(source => [
      source.path,
      importsOf(source)
        .filter(specifier => specifier.startsWith('.'))
        .map(specifier => posix.join(posix.dirname(source.path), specifier)),
    ]),
  );
}

/** The strongly connected parts of more than one file (Tarjan). */
function knots(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const enter = (file: string): number => {
    const index = order.size;
    order.set(file, index);
    stack.push(file);
    let least = index;
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) least = Math.min(least, enter(next));
      else if (stack.includes(next)) least = Math.min(least, low.get(next) ?? order.get(next) ?? index);
    }
    low.set(file, least);
    if (least === index) {
      const part = stack.splice(stack.indexOf(file));
      if (part.length > 1 || graph.get(file)?.includes(file)) found.push(part.sort());
    }
    return least;
  };
  for (const file of graph.keys()) if (!order.has(file)) enter(file);
  return found;
}

it('has no import cycle, type imports counted', () => {
  expect(knots(importGraph())).toEqual([]);
});

it('finds a cycle where there is one', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', ['b']],
  ]);
  expect(knots(graph)).toEqual([['b', 'c']]);
});
