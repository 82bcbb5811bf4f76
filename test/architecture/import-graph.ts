import { posix } from 'node:path';
import { importsOf, type SourceFile } from './source-file.ts';

/** Nodes, each with the nodes that it points to. */
type Graph = ReadonlyMap<string, readonly string[]>;

/** Returns the files that each file imports with a relative path, types included. */
export function importGraph(sources: readonly SourceFile[]): Graph {
  return new Map(
    sources.map(source => [
      source.path,
      importsOf(source)
        .filter(specifier => specifier.startsWith('.'))
        .map(specifier => posix.join(posix.dirname(source.path), specifier)),
    ]),
  );
}

/** Returns the folders that the files of each folder import from. Entry points do not count: nothing in the package imports them. */
export function folderGraph(files: Graph): Graph {
  const folders = new Map<string, Set<string>>();
  const targetFiles = new Set([...files.values()].flat());
  for (const [file, imported] of files) {
    if (posix.basename(posix.dirname(file)) === 'src' && !targetFiles.has(file)) continue;
    const folder = posix.dirname(file);
    const targets = folders.get(folder) ?? new Set();
    folders.set(folder, targets);
    for (const target of imported.map(path => posix.dirname(path))) if (target !== folder) targets.add(target);
  }
  return new Map([...folders].map(([folder, targets]) => [folder, [...targets]]));
}

/** Returns the strongly connected components that contain a cycle, each sorted (Tarjan's algorithm). */
export function cyclesIn(graph: Graph): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const enter = (node: string): number => {
    const index = order.size;
    order.set(node, index);
    stack.push(node);
    let lowest = index;
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) lowest = Math.min(lowest, enter(next));
      else if (stack.includes(next)) lowest = Math.min(lowest, low.get(next) ?? order.get(next) ?? index);
    }
    low.set(node, lowest);
    if (lowest === index) {
      const component = stack.splice(stack.indexOf(node));
      if (component.length > 1 || graph.get(node)?.includes(node)) cycles.push(component.sort());
    }
    return lowest;
  };
  for (const node of graph.keys()) if (!order.has(node)) enter(node);
  return cycles;
}
